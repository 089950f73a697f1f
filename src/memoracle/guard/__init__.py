"""May it be stored, shown, sent (secret scanning, PII detection, prompt injection, redaction, quarantine)."""
