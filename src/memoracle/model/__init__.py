"""The values of the domain (domain model): records, claims, hits, plans, findings. Frozen, typed, without files."""
