"""Installing the shipped models: package wheels in, verified model files out."""
