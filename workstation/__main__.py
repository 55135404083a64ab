"""`python -m workstation` is `flori`."""

from workstation.cli import main

if __name__ == "__main__":
    main()
