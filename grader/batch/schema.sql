-- The gradebook. Each version adds to the one before it and stands below a line of its own; a gradebook is brought from the
-- version that it has to the last one, in one transaction. Times are seconds since 1970, in UTC.

-- version 1

-- What holds for the whole gradebook: rubric (a hash of `rubric`), and tool, seed and profile whose runs count.
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
    enrolled INTEGER NOT NULL -- 1: on the roster; 0: a name that only a submission knows
) WITHOUT ROWID;

-- A source as it was handed in, named by its SHA-256. `bytes` is larger than the text where that was too large to keep.
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
    submitted INTEGER NOT NULL, -- 0: not known
    clock INTEGER NOT NULL,     -- enum mark_clock
    late INTEGER NOT NULL,      -- the course system's word: 1 late, 2 in time, 0 none
    origin TEXT NOT NULL,
    file TEXT NOT NULL,
    UNIQUE (student, lab, source, submitted)
);
CREATE INDEX attempt_source ON attempt (source, lab);

-- One judgement of one source: everything that was observed, so that it can be scored again without being run.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL REFERENCES source (hash),
    lab TEXT NOT NULL,
    tool TEXT NOT NULL,    -- the kit's and the compiler's version
    seed INTEGER NOT NULL,
    profile TEXT NOT NULL, -- the simulated device, and the card if one measured
    report TEXT NOT NULL,  -- warpwise-report/1
    text TEXT NOT NULL,    -- the same for a person
    ptx TEXT NOT NULL,     -- of the optimised image, packed by zstd; of nothing when it does not build
    ptx_hash TEXT NOT NULL,
    at INTEGER NOT NULL,
    seconds REAL NOT NULL,
    UNIQUE (source, lab, tool, seed, profile)
);

CREATE TABLE rubric (
    hash TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    text TEXT NOT NULL, -- the rubric's file; empty: the kit's own
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

-- What could not be graded, by the machine's fault or ours: no mark, and to be tried again.
CREATE TABLE failure (
    source TEXT NOT NULL, lab TEXT NOT NULL, tool TEXT NOT NULL, seed INTEGER NOT NULL, profile TEXT NOT NULL,
    message TEXT NOT NULL,
    tries INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (source, lab, tool, seed, profile)
) WITHOUT ROWID;

-- A mark set by hand; the newest counts, and none is ever removed.
CREATE TABLE override (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL REFERENCES student (key),
    lab TEXT NOT NULL,
    points REAL,          -- NULL: the rules' mark counts again
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    at INTEGER NOT NULL
);

-- For looking around with sqlite3: what was found, and what the speed case showed.
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

-- A later measurement on a card for a run whose speed was a model's: the report's `speed`. It counts where it is better.
CREATE TABLE measured (
    run INTEGER PRIMARY KEY REFERENCES run (id),
    speed TEXT NOT NULL,
    tool TEXT NOT NULL,
    profile TEXT NOT NULL,
    at INTEGER NOT NULL
);

-- version 3

-- The report as a page that stands alone, packed by zstd.
ALTER TABLE run ADD COLUMN html TEXT NOT NULL DEFAULT '';
