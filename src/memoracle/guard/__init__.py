"""The guard: what may be stored, shown and sent, and in which form.

In the field's words: secret scanning, detection of personal data (PII), prompt-injection filters, redaction and
quarantine. A secret is *masked*: `[secret:TYPE:FINGERPRINT]` stands where it stood. A text is *hidden* when every line
keeps its number, a transcript is *cleaned* when it is masked string by string, a question is *cut* when what may not
go out is left out of it. A draft is accepted, masked, quarantined for its owner, or refused.

guard.py        `PolicyGuard`: all of this for one root, with its salt, its policy and its blocklist; `Reader`
modes.py        the policy: what is done with each class of text, who says so, and what a channel may say
screening.py    a text, a draft or a record, as it may be written, or why it waits for its owner
secrets.py      the scan for secrets, and what was recognised before; passwords.py, formats.py, opaque.py: is it one?
personal.py     personal data: where it stands, and what proves it
copies.py       transcripts and databases that are kept as copies
hidden.py       text that nobody sees, secrets in disguise, and text that was written to steer an agent
blocklist.py    what its owner never wants stored or sent, and what must not leave
explain.py      what would happen to a text, and what is in force
rule.py         Rule, Sighting, Masked, and which values are no secrets; rules/*.toml: the rules themselves

Rules are data. Nothing here reads or writes files of a memory, and no value of a secret leaves a function.
"""
