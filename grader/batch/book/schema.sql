-- The schema of the gradebook. Each version adds to the one before it; a line "-- version N" begins it. Opening an older
-- gradebook runs the SQL of all newer versions in one transaction. Times are seconds since 1970, in UTC.

-- version 1

-- Settings of the whole gradebook. `rubric` is the hash of the rubric that scores. `tool`, `seed` and `profile` select the
-- runs that marks come from.
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

CREATE TABLE student (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    first TEXT NOT NULL, last TEXT NOT NULL,
    canvas TEXT NOT NULL, sis TEXT NOT NULL, login TEXT NOT NULL, email TEXT NOT NULL,
    section TEXT NOT NULL, participant TEXT NOT NULL, github TEXT NOT NULL, root TEXT NOT NULL,
    enrolled INTEGER NOT NULL -- 1: on the newest roster; -1: on an earlier one; 0: a name that only a submission knows
) WITHOUT ROWID;

-- A source that was handed in, named by its SHA-256. `bytes` is larger than the text if the source was too large to keep.
CREATE TABLE source (
    hash TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    text BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL REFERENCES student (key),
    lab TEXT NOT NULL,
    source TEXT NOT NULL REFERENCES source (hash),
    submitted INTEGER NOT NULL, -- 0: unknown
    clock INTEGER NOT NULL,     -- enum mark_clock
    late INTEGER NOT NULL,      -- what the course system says: 1 late, 2 in time, 0 nothing
    origin TEXT NOT NULL,
    file TEXT NOT NULL,
    UNIQUE (student, lab, source, submitted)
);
CREATE INDEX attempt_source ON attempt (source, lab);

-- One run of the grader on one source. It keeps all observations, so that it can be scored again without running.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL REFERENCES source (hash),
    lab TEXT NOT NULL,
    tool TEXT NOT NULL,    -- the kit's and the compiler's version
    seed INTEGER NOT NULL,
    profile TEXT NOT NULL, -- the simulated device, and the card if a card measured
    report TEXT NOT NULL,  -- warpwise-report/1
    text TEXT NOT NULL,    -- the report as plain text
    ptx TEXT NOT NULL,     -- the optimised image, compressed with zstd; empty if the source does not build
    ptx_hash TEXT NOT NULL,
    at INTEGER NOT NULL,
    seconds REAL NOT NULL,
    UNIQUE (source, lab, tool, seed, profile)
);

CREATE TABLE rubric (
    hash TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    text TEXT NOT NULL, -- contents of the rubric's file; empty: the kit's own rubric
    at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE score (
    run INTEGER NOT NULL REFERENCES run (id),
    rubric TEXT NOT NULL REFERENCES rubric (hash),
    builds INTEGER NOT NULL, correct INTEGER NOT NULL, safe INTEGER NOT NULL,
    technique INTEGER NOT NULL, speed INTEGER NOT NULL,
    total INTEGER NOT NULL, most INTEGER NOT NULL,
    passed INTEGER NOT NULL,
    reasons TEXT NOT NULL, -- JSON array
    PRIMARY KEY (run, rubric)
) WITHOUT ROWID;

-- Sources that the machine or the grader failed to grade. They get no mark and are tried again.
CREATE TABLE failure (
    source TEXT NOT NULL, lab TEXT NOT NULL, tool TEXT NOT NULL, seed INTEGER NOT NULL, profile TEXT NOT NULL,
    message TEXT NOT NULL,
    tries INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (source, lab, tool, seed, profile)
) WITHOUT ROWID;

-- Marks that a person set. The newest one counts. Rows are never deleted.
CREATE TABLE override (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL REFERENCES student (key),
    lab TEXT NOT NULL,
    points REAL,          -- NULL: the mark by the course's rules counts again
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    at INTEGER NOT NULL
);

-- Views for users of sqlite3: the findings, and the results of the speed case.
CREATE VIEW finding AS
    SELECT run.id AS run, run.lab, json_extract(f.value, '$.kind') AS kind, json_extract(f.value, '$.severity') AS severity,
           json_extract(f.value, '$.at.line') AS line, json_extract(f.value, '$.text') AS text
    FROM run, json_each(run.report, '$.findings') AS f;
CREATE VIEW figure AS
    SELECT id AS run, lab, json_extract(report, '$.speed.speedup') AS speedup, json_extract(report, '$.speed.minimum') AS minimum,
           json_extract(report, '$.speed.needed') AS needed, json_extract(report, '$.speed.full') AS full,
           json_extract(report, '$.speed.model') AS model, json_extract(report, '$.tools.sandbox') AS sandbox
    FROM run;

-- version 2

-- A later measurement on a card for a run whose speed was modelled: the object "speed" of the report. It counts if it is
-- better.
CREATE TABLE measured (
    run INTEGER PRIMARY KEY REFERENCES run (id),
    speed TEXT NOT NULL,
    tool TEXT NOT NULL,
    profile TEXT NOT NULL,
    at INTEGER NOT NULL
);

-- version 3

-- The report as an HTML page, compressed with zstd.
ALTER TABLE run ADD COLUMN html TEXT NOT NULL DEFAULT '';

-- version 4

-- The seal of a row: a keyed hash of all its columns (seal.c). Rows of an older gradebook are not sealed until a person
-- accepts them.
ALTER TABLE setting ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE student ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE source ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE rubric ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE attempt ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE measured ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE score ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE override ADD COLUMN seal TEXT NOT NULL DEFAULT '';

-- version 5

-- What became of each path that an import saw (ledger.h). `import` is the number of the import that saw it last.
CREATE TABLE input (
    path TEXT NOT NULL,
    student TEXT NOT NULL, lab TEXT NOT NULL, -- '': unknown
    fate TEXT NOT NULL,                       -- fate.def
    why TEXT NOT NULL,
    import INTEGER NOT NULL,
    PRIMARY KEY (path, student, lab)
) WITHOUT ROWID;

-- version 6

-- Who a name in a submission is, as the instructor decided. A group's name has a row for each member.
CREATE TABLE alias (
    name TEXT NOT NULL,
    student TEXT NOT NULL REFERENCES student (key),
    seal TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (name, student)
) WITHOUT ROWID;

-- One row for each person who was removed by ./grade forget: when, and nothing else.
CREATE TABLE forgotten (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    seal TEXT NOT NULL DEFAULT ''
);

-- The number by which Moodle knows a student in one assignment.
CREATE TABLE participant (
    student TEXT NOT NULL REFERENCES student (key),
    lab TEXT NOT NULL,
    number TEXT NOT NULL,
    seal TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (student, lab)
) WITHOUT ROWID;

-- version 7

-- Why an attempt is a student's (attempt.h): an import found the source at a path of a download, and gave it to the
-- student. A group's source has a row for each member. Rows with the same student, lab and source have the same number
-- of an attempt. An attempt of an older gradebook has a row with an empty path until an import finds it again.
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL REFERENCES student (key), -- by the import; a decision may name another one
    lab TEXT NOT NULL,
    source TEXT NOT NULL REFERENCES source (hash),
    path TEXT NOT NULL,         -- within the download (evidence.h)
    attempt INTEGER NOT NULL,   -- 0: not numbered yet, within an import
    submitted INTEGER NOT NULL, -- the best time that an import told of this path, as in the table attempt
    clock INTEGER NOT NULL,
    late INTEGER NOT NULL,      -- by the newest import that told
    origin TEXT NOT NULL,
    file TEXT NOT NULL,         -- the path as the newest import showed it
    node INTEGER NOT NULL,      -- the file's number in its file system; 0: unknown
    import INTEGER NOT NULL,    -- number of the newest import that saw it (ledger.h)
    seal TEXT NOT NULL DEFAULT '',
    UNIQUE (student, lab, source, path)
);
CREATE INDEX evidence_path ON evidence (path, lab, source);
CREATE INDEX evidence_source ON evidence (source, lab);
CREATE INDEX evidence_attempt ON evidence (attempt);
CREATE INDEX evidence_file ON evidence (file);
CREATE INDEX evidence_import ON evidence (import);

-- Whose an attempt is, as a person decided. The newest row of an attempt counts, and no import changes it.
CREATE TABLE decision (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL,
    student TEXT,             -- '': nobody's, so it does not count; NULL: whose the import says it is
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    at INTEGER NOT NULL,
    seal TEXT NOT NULL DEFAULT ''
);
CREATE INDEX decision_attempt ON decision (attempt);

-- The course's rules, as course.json had them when a command took them. There is one row at the most.
CREATE TABLE rules (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL, -- of the file
    hash TEXT NOT NULL, -- SHA-256 of the text
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    seal TEXT NOT NULL DEFAULT ''
);

-- What a person who was forgotten had handed in: keyed hashes of paths, from which nobody learns a name. Importing the
-- same download again does not bring the person back.
CREATE TABLE forgotten_path (
    hash TEXT PRIMARY KEY,
    seal TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
