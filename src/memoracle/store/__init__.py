"""Truth (an append-only journal, notes, transcripts, an audit log): files on a volume, written durably under a lock.

The core:

store.py         Store, the door: its places, what is written under the lock, what a view takes in, its ports
volume.py        the port: how files are read, appended to, replaced and locked; small documents, packed files, listings
disk.py          the volume that is a folder: no path leaves it, no link is followed
durable.py       how bytes get to the disk so that they stay there
records.py       its journal: records by id and by key, with their histories; read in portions
journal.py       whole record files and small checksummed lists: every line that can be read, and what cannot
line.py          one record line and one Record, with its checksum
sequence.py      the writer's running count, which reveals a line that vanished, and gaps that were accepted
content_keys.py  the content keys: which stand in the record files
archive.py       old files and old versions move to the archive, and links follow them
erase.py         the one operation that removes bytes, in records and in what was made from them
mend.py          damage to quarantine, hand edits adopted, litter swept
notes.py         its notes: the Markdown people edit, and which of it an import made
frontmatter.py   the header of a note; chunks.py: a note cut into chunks
generated.py     the blocks that memory writes into people's notes; projected.py: whole derived documents
daily.py         the note of a day, and lines of notes taken out for good
buffer.py        the working buffer, as it is read
sessions.py      its sessions: conversations that belong to a memory, and the copies kept of them
forgotten.py     what was forgotten, and is never read again
audit_trail.py   its audit trail: one entry, log, read, rotate; audit_proof.py proves it
loading.py       what a file says, as a view takes it, with its links; receipts of what was handed to an agent
machine_state.py whose `state/` is: this machine's own, or somebody else's
run_log.py       the log of consolidation runs, and where a run stands
inbox.py         what waits for the owner's answer or for a model, and what a model has cost today
privacy.py       what the guard keeps: the owner's list and its lines, the salt, fingerprints of secrets
spool.py         what hooks leave for a worker, and what went wrong in one
layouts.py       where each logical file stands, layout by layout
roots.py         making a root; the roots a person has on this machine
sealed.py        whether a root is encrypted at rest, and the codec that is registered for it
requests.py    what agents asked for at the end of a turn
fact_files.py  which files hold what scanners saw; their extension says what is in them
link_files.py  the files of the link graph, where a layout has a place for them
repositories.py where the repositories of projects stand on this machine
adopted.py     what a directory was when it was adopted; detect.py: which layout it has

"""
