"""From passages to quotes with addresses."""
