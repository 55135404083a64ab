"""Florilegium: cited answers from your own documents, with models on your own machine."""

__version__ = "0.1.0"
