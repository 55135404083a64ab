"""The engine: runs an approved plan in a process of its own, step by step, into the run folder."""
