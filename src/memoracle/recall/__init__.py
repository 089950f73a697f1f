"""Question to evidence (retrieval): candidates, features, a ranker, a verdict, citations, a plain "not in memory"."""
