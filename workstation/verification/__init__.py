"""Is every sentence of a report carried by what it cites? Read from its text, the log and the stored sources."""
