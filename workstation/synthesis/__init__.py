"""From checked notes to paragraphs."""
