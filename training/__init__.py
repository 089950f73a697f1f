"""What our own model learns from, and how it is trained. Not part of the package."""
