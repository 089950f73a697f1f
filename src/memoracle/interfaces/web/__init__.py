"""The page: what memory holds, to see, correct and trust it. Rendered here; it reads without script."""
