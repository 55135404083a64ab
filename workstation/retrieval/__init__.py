"""Finding passages: two lanes, one pool, a gate score and an order score that never mix."""
