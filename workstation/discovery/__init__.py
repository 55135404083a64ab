"""Web research: pages are fetched politely, found by links, feeds and searches, and ranked and stopped by numbers."""
