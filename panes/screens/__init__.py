"""One module a screen. A screen receives its panes' messages, decides, and speaks to the engine."""
