"""What a sentence says: its numbers with their units, its dates, names and denials, in several languages."""
