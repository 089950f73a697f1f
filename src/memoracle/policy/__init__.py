"""What may be written, and in which form.

rule.py            Rule, Sighting, Masked
tokens.py          provider tokens as rules; prefixes.py: one row each; shapes.py: those that no prefix describes
opaque.py          values that no word is, beside a name; providers.py: names that count
files.py           passwords where files keep them: XML, .netrc, .pgpass, Docker, Kubernetes, SQL, calls, vaults
personal.py        personal data: where it stands; telephones.py, checksums.py: what proves it
passwords.py       passwords and keys that are named: assignments, options, prose, in two languages
values.py          is this value a secret, or a placeholder, a word, a name in code?
connections.py     passwords inside addresses, headers and commands
private_keys.py    PEM blocks, whole or cut off
secrets.py         mask: the one scan over all of them
known.py           what was recognised once, at every other mention
origins.py         what a channel may say
stances.py         policy as data: what is done with each class, where that is said, and whether it can be read
masking.py         secrets, personal data and what is blocked, in one text after the other
blocklist.py       what its owner never wants stored or sent: phrases and BLOCK: lines
hidden.py          text that nobody sees (concealed.py: the rules; lookalikes.py: letters that pose as others)
injections.py      text that was written to steer an agent (orders.py: one row per sort of order)
apart.py           why a draft is set apart
guard.py           a draft or a record, as it may be written
gate.py            what must not leave: the privacy gate
explain.py         what would happen to a text, and what is in force
copies.py  databases.py    conversations that are kept as copies
shield.py          all of this for one root, with its salt

Rules are data. Nothing here reads or writes files, and no value of a secret leaves a function.
"""
