"""From a question to an approved plan."""
