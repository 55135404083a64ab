"""The library on disk: sources, their versions and passages, and the indexes that find them again."""
