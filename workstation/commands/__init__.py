"""One module a command: what it does, with the options it was given, and its exit status."""
