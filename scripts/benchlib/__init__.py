"""What the measuring scripts (bench, calibrate) share: one idea a module."""
