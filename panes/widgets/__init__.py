"""Building blocks of the screens: rows drawn line by line, the ask line and the one-line bars."""
