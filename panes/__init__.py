"""The terminal application: panes that draw a run's state. Nothing here loads a model or opens the library."""
