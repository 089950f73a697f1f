"""Truth: the one package that writes people's files.

store.py       Store, the door: read, append, erase, mend
loading.py     what a file says, as a view takes it
transcripts.py conversations that belong to a memory, and the copies kept of them
layouts.py     where each logical file stands, layout by layout
durable.py     lock, append, replace: the only code that puts bytes on disk
contain.py     no path leaves the root, no link is followed
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
ledger.py      what a model has cost today, shared by processes
pending.py     what waits for a model
inbox.py       what waits for the owner's answer
birth.py       making a root
detect.py      recognising an existing directory
salt.py        what makes the fingerprints of masked secrets a root's own
documents.py   small JSON documents, read whole and replaced whole
imported.py    which notes an import made
usage.py       receipts of what was handed to an agent
spool.py       what hooks leave for a worker
requests.py    what an agent asked for at the end of a turn, once per turn
hooklog.py     what went wrong in a hook
notes.py       the Markdown people edit
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
retract.py     erased records leave what was generated
"""
