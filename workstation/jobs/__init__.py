"""Long work on the library: each job has a folder with its log, so that it outlives whoever started it."""
