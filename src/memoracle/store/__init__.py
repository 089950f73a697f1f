"""Truth: the one package that writes people's files.

store.py       Store, the door: its places, what is written under the lock, what a view takes in
records.py     its journal: records by id and by key, with their histories
ports.py       what it asks of others: Guard, TranscriptReader, Links
loading.py     what a file says, as a view takes it
transcripts.py its sessions: conversations that belong to a memory, and the copies kept of them
own_state.py   whose `state/` is: this machine's own, or somebody else's
lists.py       small lists that must not be lost, line by line with checksums
layouts.py     where each logical file stands, layout by layout
adopted.py     what stood in an adopted directory, and whether upkeep may tend it
volume.py      the port: how a root's files are read, appended to, replaced and locked, and what that promises
disk.py        the volume that is a folder (durable.py: how bytes get to the disk so that they stay there)
sealed.py      which files of an encrypted root are sealed, and how; the volume asks it for every file
seal.py        sealing and opening bytes
keyring.py     the keys of a root, wrapped for each way to open it
unlocked.py    keys that are open in this session, in memory
sealing.py     bringing every file into the form its root asks for
contain.py     no path leaves the root, no link is followed (tree.py: what stands in its folders, each listed once)
line.py        one record line and one Record, with its checksum
shapes.py      records in the line shapes of other designs
bullets.py     records as lines of Markdown
carried.py     what a foreign shape has no place for
gitsync.py     git: ask, commit, fetch, push; the only code here that calls a program
gitmerge.py    two histories become one, line by line
older.py       lines in shapes that were written before this format
journal.py     whole record files: every line that can be read, and what cannot
sequence.py    the writer's running count, which reveals a line that vanished
fold.py        old versions move to the archive
erase.py       the one operation that removes bytes
mend.py        damage set aside, hand edits adopted, litter swept
quarantine.py  damaged bytes, and where they stood
gaps.py        vanished lines that the owner accepted as lost
keybook.py     which content keys stand in the files
events.py      its audit trail: log, read, rotate; chain.py is one entry and where the trail ended, audit.py the proof
ledger.py      what a model has cost today, shared by processes
pending.py     what waits for a model
inbox.py       what waits for the owner's answer
birth.py       making a root
detect.py      recognising an existing directory
salt.py        what makes the fingerprints of masked secrets a root's own
recognised.py  fingerprints of secrets that were recognised, for later texts
privacy.py     the owner's privacy list, read only; privacy_seen.py: which lines it had once
documents.py   small JSON documents, read whole and replaced whole
imported.py    which notes an import made
usage.py       receipts of what was handed to an agent
spool.py       what hooks leave for a worker
requests.py    what an agent asked for at the end of a turn, once per turn
hooklog.py     what went wrong in a hook
fact_files.py  which files hold what scanners saw
facts.py       what they say, as passages (json_lines.py: which line says what)
scans.py       writing them, and the history of what changed
notes.py       the Markdown people edit
pages.py       pages of seats; facets.py says whose a file is, quick_header.py reads their headers
reflections.py pages that are lines of one file
registry.py    the seats and projects of a root
rootbook.py    the roots a person has on this machine
frontmatter.py the header of a note
chunks.py      a note cut into passages
generated.py   the blocks that memory writes into people's notes
daily.py       where the note of a day stands
jot.py         lines added to notes, and the closing lines of a day (closure.py)
warm.py        the header of a semantic or procedural note
buffer.py      the working buffer; rotate.py moves it into the note of the day
vocabulary.py  the tags that notes may carry
packed.py      files that may be compressed
retire.py      old files move to the archive
relink.py      links that follow a note
projected.py   derived documents at the places of a layout
linked.py      links, read along with a file; link_tables.py what a root says about them
link_files.py  links as files that a published design keeps; flat.py names them
retract.py     erased records leave what was generated
"""
