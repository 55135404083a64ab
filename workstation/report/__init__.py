"""The report: what is made of the state, as text that can be checked again from the text alone."""
