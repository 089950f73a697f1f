"""Tasks between seats: who gave what to whom, claims and the evidence for them."""
