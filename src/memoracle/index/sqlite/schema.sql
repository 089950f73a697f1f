-- The whole view. There are no migrations: when this file, the terms or the features change,
-- the fingerprint changes, and the view is built again from the files.

-- chunks: of the passages that say anything.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The files of truth as they were when they were read.
CREATE TABLE files (
    path TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
    mark_size INTEGER, mark_lines INTEGER, mark_digest TEXT, mark_memo TEXT
) WITHOUT ROWID;

-- Everything that can be found: every version of every record, every piece of every note.
-- live: 1 the version that stands, 0 an older one, -1 a repetition or the rest of an erased record.
CREATE TABLE passages (
    rowid INTEGER PRIMARY KEY,
    path TEXT NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    digest TEXT NOT NULL,
    source TEXT NOT NULL, ref TEXT NOT NULL, live INTEGER NOT NULL,
    version INTEGER NOT NULL, changed_at TEXT NOT NULL, verb TEXT NOT NULL, writer TEXT NOT NULL, known_from TEXT NOT NULL, known_until TEXT,
    kind TEXT NOT NULL, status TEXT NOT NULL, pinned INTEGER NOT NULL,
    text TEXT NOT NULL, title TEXT NOT NULL, who TEXT NOT NULL, at TEXT,
    importance REAL NOT NULL, confidence REAL NOT NULL, trust REAL NOT NULL, channel TEXT NOT NULL, confirmed_by TEXT NOT NULL,
    user TEXT NOT NULL, agent TEXT NOT NULL, project TEXT NOT NULL, seat TEXT NOT NULL, session TEXT NOT NULL,
    tags TEXT NOT NULL, entities TEXT NOT NULL, sensitivity TEXT NOT NULL, place TEXT NOT NULL,
    subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    since TEXT, until TEXT, confirmed TEXT, expires TEXT, supersedes TEXT NOT NULL, superseded_by TEXT,
    anchor_value REAL NOT NULL, anchor_at TEXT
);
CREATE INDEX passages_by_ref ON passages (ref);
CREATE INDEX passages_by_path ON passages (path, session, ordinal);
CREATE INDEX passages_by_change ON passages (source, changed_at);

-- Exact names: ids, aliases, keys, entities, titles.
CREATE TABLE names (name TEXT NOT NULL, passage INTEGER NOT NULL, PRIMARY KEY (name, passage)) WITHOUT ROWID;
CREATE INDEX names_by_passage ON names (passage);

-- Our own inverted index: the terms, where they stand, and every passage as its terms in order.
-- A posting's key is term << 20 | block, and a block is 16,384 rows: adding a passage touches one
-- short blob per term, asking for a term reads a handful. rows: uint32, counts: uint8, ids: uint32.
CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, passages INTEGER NOT NULL);
CREATE TABLE postings (key INTEGER PRIMARY KEY, rows BLOB NOT NULL, counts BLOB NOT NULL);
CREATE TABLE tokens (passage INTEGER PRIMARY KEY, ids BLOB NOT NULL);

-- What ranking needs of every passage, 24 bytes each, in blocks of 1,024 rows: see columns.py.
CREATE TABLE columns (block INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE sessions (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE speakers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- A passage has a vector for each chunk of its words. The vectors stand in a file of their own, by
-- content; here are their sign bits, in blocks of 1,024 chunks: four bytes that name the passage
-- (0: nobody's), then one bit per dimension.
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, passage INTEGER NOT NULL, space TEXT NOT NULL, content TEXT NOT NULL
);
CREATE INDEX chunks_by_passage ON chunks (passage);
CREATE TABLE bits (space TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (space, block));
CREATE TABLE unembedded (passage INTEGER PRIMARY KEY);

-- Notes as things to link to, and everything each is called: its path from any folder down, its title, its id.
CREATE TABLE pages (
    slug TEXT PRIMARY KEY, path TEXT NOT NULL, kind TEXT NOT NULL, project TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE page_names (name TEXT NOT NULL, slug TEXT NOT NULL, PRIMARY KEY (name, slug)) WITHOUT ROWID;
CREATE INDEX page_names_by_slug ON page_names (slug);

-- What points where. Of a note: its path and line, passage 0. Of a record: the row of the version that says so, and only
-- the version that stands counts. What a page's name leads to, and which commit an abbreviation means, is decided
-- when somebody asks: so writing one page costs the same however many there are.
CREATE TABLE links (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL, target TEXT NOT NULL, type TEXT NOT NULL,
    passage INTEGER NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL,
    snippet TEXT NOT NULL, project TEXT NOT NULL, doubt TEXT NOT NULL
);
CREATE INDEX links_by_source ON links (source, type, target);
CREATE INDEX links_by_target ON links (target, source);
CREATE INDEX links_by_passage ON links (passage) WHERE passage > 0;
CREATE INDEX links_by_path ON links (path) WHERE passage = 0;

CREATE TABLE uses (path TEXT NOT NULL, line INTEGER NOT NULL, ref TEXT NOT NULL, at TEXT NOT NULL);
CREATE INDEX uses_by_ref ON uses (ref, at);
CREATE INDEX uses_by_path ON uses (path);

CREATE TABLE findings (
    path TEXT NOT NULL, line INTEGER, code TEXT NOT NULL, severity TEXT NOT NULL, message TEXT NOT NULL, hint TEXT
);
CREATE UNIQUE INDEX findings_by_place ON findings (path, coalesce(line, 0), code);
