"""Truth (an append-only journal, notes, transcripts, an audit log): files on a volume, written durably under a lock.

The core:

store.py         Store, the door: its places, what is written under the lock, what a view takes in, its ports
volume.py        the port: how files are read, appended to, replaced and locked; small documents, packed files, listings
disk.py          the volume that is a folder: no path leaves it, no link is followed
durable.py       how bytes get to the disk so that they stay there
records.py       its journal: records by id and by key, with their histories; which keys stand in the files
journal.py       whole record files: every line that can be read, and what cannot
line.py          one record line and one Record, with its checksum; the writer's running count
archive.py       old files and old versions move to the archive, and links follow them
erase.py         the one operation that removes bytes, in records and in what was made from them
mend.py          damage to quarantine, hand edits adopted, litter swept, gaps in a count accepted
notes.py         its notes: the Markdown people edit, and which of it an import made
frontmatter.py   the header of a note; chunks.py: a note cut into chunks
generated.py     the blocks that memory writes into people's notes
projected.py     whole derived documents, among them the files of links where a layout has a place for them
daily.py         the note of a day, lines of notes taken out for good, and the working buffer as it is read
sessions.py      its sessions: conversations that belong to a memory, and the copies kept of them
forgotten.py     what was forgotten, and is never read again; small checksummed lists
audit_trail.py   its audit trail: one entry, log, read, rotate; audit_proof.py proves it
loading.py       what a file says, as a view takes it, in portions and with its links; receipts of what was handed out
machine_state.py whose `state/` is: this machine's own, or somebody else's
run_log.py       the log of consolidation runs, and where a run stands
inbox.py         what waits for the owner's answer or for a model, and what a model has cost today
privacy.py       what the guard keeps: the owner's list and its lines, the salt, fingerprints of secrets
spool.py         what hooks leave for a worker, what agents asked for, and what went wrong in a hook
layouts.py       where each logical file stands, layout by layout; which notes and facts stand there
roots.py         making a root; which layout a directory has; the roots and repositories on this machine
sealed.py        whether a root is encrypted at rest, and the codec that is registered for it
adopted.py       what a directory was when it was adopted
"""
