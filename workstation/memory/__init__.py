"""The run's memory: typed events, their fold, the log on disk and what is rendered from it."""
