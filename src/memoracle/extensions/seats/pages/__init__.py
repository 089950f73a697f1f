"""Pages of seats: knowledge with one owner each, and what it links to."""
