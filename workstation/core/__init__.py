"""Small things that every step uses: cancellation, text, ids, quantities, budgets, outcomes."""
