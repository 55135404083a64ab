"""Local models: one Protocol a role (`protocols`), one file a backend, one lazy factory (`loader`).

Importing this package, `registry` or `loader` loads no native library; a backend loads its own when it is first used.
"""
