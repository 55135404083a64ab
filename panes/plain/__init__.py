"""The workstation in lines, for screen readers, scripts and terminals that cannot draw: the same commands, by name."""
