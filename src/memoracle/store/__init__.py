"""Truth (an append-only journal, notes, transcripts, an audit log): files on a volume, written durably under a lock.

The core:

store.py       Store, the door: its places, what is written under the lock, what a view takes in
ports.py       what it asks of others: Guard, TranscriptReader, LinkExtractor
records.py     its journal: records by id and by key, with their histories; read in portions
journal.py     whole record files: every line that can be read, and what cannot, which goes to quarantine
line.py        one record line and one Record, with its checksum
sequence.py    the writer's running count, which reveals a line that vanished, and gaps that were accepted
keybook.py     the content keys: which stand in the record files
fold.py        old versions move to the archive
erase.py       the one operation that removes bytes, in records and in what was made from them
mend.py        damage to quarantine, hand edits adopted, litter swept
notes.py       its notes: the Markdown people edit (frontmatter.py: their header, chunks.py: cut into chunks)
generated.py   the blocks that memory writes into people's notes
jot.py         lines added to notes, the note of a day, and its closing lines
buffer.py      the working buffer; rotate.py moves it into the note of the day
vocabulary.py  the tags that notes may carry
transcripts.py its sessions: conversations that belong to a memory; keptcopies.py: copies without what was forgotten
never.py       what was forgotten, and is never read again
events.py      its audit trail: log, read, rotate; chain.py is one entry and where the trail ended, audit.py the proof
loading.py     what a file says, as a view takes it, with its links (link_tables.py: what a root says about them)
usage.py       receipts of what was handed to an agent
own_state.py   whose `state/` is: this machine's own, or somebody else's
lists.py       small lists that must not be lost, line by line with checksums
documents.py   small JSON documents, read whole and replaced whole
heard.py       the log of consolidation runs, and where a run stands
inbox.py       what waits for the owner's answer
pending.py     what waits for a model, and what a model has cost today
privacy.py     what the guard keeps: the owner's list and its lines, the salt, fingerprints of secrets
spool.py       what hooks leave for a worker, and what went wrong in one
imported.py    which notes an import made
layouts.py     where each logical file stands, layout by layout
projected.py   derived documents at the places of a layout
retire.py      old files move to the archive, and links follow them
packed.py      files that may be compressed
birth.py       making a root; rootbook.py: the roots a person has on this machine
volume.py      the port: how a root's files are read, appended to, replaced and locked, and what that promises
disk.py        the volume that is a folder (durable.py: how bytes get to the disk so that they stay there)
contain.py     no path leaves the root, no link is followed (tree.py: what stands in its folders, each listed once)
extension_points.py  where the core asks the extensions below; no other core file names them but for encryption

Seats: reflections.py, facets.py, cited.py, requests.py, fact_files.py, facts.py, link_files.py

Layouts: older.py, shapes.py, carried.py, adopted.py, detect.py

Encryption: sealed.py (asked by the volume for every file), seal.py, keyring.py, unlocked.py, sealing.py, encrypting.py

Sync: gitsync.py (the only code here that calls a program), gitmerge.py
"""
