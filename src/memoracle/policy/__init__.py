"""What may be written, and in which form.

rule.py            Rule, Sighting, Masked
tokens.py          provider tokens: one row each
passwords.py       passwords and keys that are named: assignments, options, prose, in two languages
values.py          is this value a secret, or a placeholder, a word, a name in code?
connections.py     passwords inside addresses, headers and commands
private_keys.py    PEM blocks, whole or cut off
secrets.py         mask: the one scan over all of them
origins.py         what a channel may say
commands.py        does this text tell somebody what to do?
guard.py           a draft or a record, as it may be written
copies.py  databases.py    conversations that are kept as copies
shield.py          all of this for one root, with its salt

Rules are data. Nothing here reads or writes files, and no value of a secret leaves a function.
"""
