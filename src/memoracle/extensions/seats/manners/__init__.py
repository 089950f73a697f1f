"""Rules of interaction: intake, language, drift from a goal."""
