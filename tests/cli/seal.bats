#!/usr/bin/env bats
# Rows of a gradebook that somebody forged, edited or copied make no marks, and an honest gradebook of another machine is
# merged.

setup_file() {
    export CLASS=$BATS_FILE_TMPDIR/class
    mkdir -p "$CLASS"/in/{alice,bob}
    cp reference/lab0_coalescing.cu "$CLASS/in/alice/"
    { cat reference/lab0_coalescing.cu; echo '}}'; } >"$CLASS/in/bob/lab0_coalescing.cu"
    grade_both "$CLASS/out" alice bob
    "$GRADE" override bob lab0 5 --by me --reason "came to see me" --out "$CLASS/out" >/dev/null
}
grade_both() { # grade_both OUT STUDENT STUDENT: one after the other, so that their runs have the numbers 1 and 2
    "$GRADE" batch "$CLASS/in/$2" --out "$1" --engine sim >/dev/null
    "$GRADE" batch "$CLASS/in/$3" --out "$1" --engine sim >/dev/null
}
setup() {
    dir=$BATS_TEST_TMPDIR
    out=$dir/out
    cp -r "$CLASS/out" "$out"
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
book() { sqlite3 "$out/book.db" "$1"; }
mark() { jq ".students[] | select(.key == \"$1\").labs.lab0.points" "$out/gradebook.json"; }
# Fails unless each command that makes marks refuses the gradebook, names the row, and writes nothing.
refused() { # refused ROW
    local before command
    before=$(marks_and_rows)
    for command in "batch" "rejudge --rubric kit" "replay 1" "merge" "report" "override bob lab0 7 --reason x"; do
        run "$GRADE" $command --out "$out"
        echo "$command: $output"
        [ "$status" -eq 2 ]
        has "the row '$1"
        has "has rows without the class's seal"
    done
    [ "$(marks_and_rows)" = "$before" ]
}
marks_and_rows() { sha256sum "$out"/gradebook* "$out"/feedback/*/* && book .dump | grep -v sqlite_stat; }

@test "a gradebook that nobody changed is sealed" {
    run "$GRADE" seal --out "$out"
    [ "$status" -eq 0 ]
    has "0 rows do not bear"
    for table in setting student source rubric attempt run score override; do
        [ "$(book "SELECT count(*) FROM $table")" -gt 0 ]
    done
}

@test "an edited row of any table is refused by name" {
    while IFS='|' read -r row sql; do
        rm -r "$out" && cp -r "$CLASS/out" "$out"
        book "$sql"
        refused "$row"
    done <<'END'
run 2 (lab0, bob)|UPDATE run SET report = (SELECT report FROM run WHERE id = 1) WHERE id = 2
run 1 (lab0, alice)|UPDATE run SET html = 'x' WHERE id = 1
score of run 2 (lab0, bob)|UPDATE score SET total = 100, passed = 1 WHERE run = 2
attempt 2 (lab0, bob)|UPDATE attempt SET submitted = submitted - 86400, late = 2 WHERE id = 2
source |UPDATE source SET text = 'x' WHERE hash = (SELECT source FROM attempt WHERE id = 2)
student bob|UPDATE student SET canvas = '4711' WHERE key = 'bob'
override 1 (lab0, bob)|UPDATE override SET points = 100
setting rubric|UPDATE setting SET value = 'x' WHERE name = 'rubric'
rubric |UPDATE rubric SET text = '{"rows": {"builds": 100}}'
END
}

@test "a row that was copied, with its seal, is refused by name" {
    while IFS='|' read -r row sql; do
        rm -r "$out" && cp -r "$CLASS/out" "$out"
        book "$sql"
        refused "$row"
    done <<'END'
run 2 (lab0, bob)|UPDATE run SET (tool, report, text, html, ptx, ptx_hash, seconds, seal) = (SELECT tool, report, text, html, ptx, ptx_hash, seconds, seal FROM run WHERE id = 1) WHERE id = 2
score of run 2 (lab0, bob)|UPDATE score SET (builds, correct, total, passed, reasons, seal) = (SELECT builds, correct, total, passed, reasons, seal FROM score WHERE run = 1) WHERE run = 2
attempt 3 (lab0, bob)|INSERT INTO attempt SELECT 3, 'bob', lab, source, submitted, clock, late, origin, file, seal FROM attempt WHERE id = 1
override 2 (lab0, alice)|INSERT INTO override SELECT 2, lab, lab, points, who, why, at, seal FROM override; UPDATE override SET student = 'alice', lab = 'lab0' WHERE id = 2
END
}

@test "a score of another gradebook with the same key is refused: it is bound to its run" {
    mkdir "$dir/other"
    cp "$out/book.db.key" "$dir/other/"
    grade_both "$dir/other" bob alice # their runs change places
    book "ATTACH '$dir/other/book.db' AS o; INSERT OR REPLACE INTO score SELECT * FROM o.score WHERE run = 2"
    refused "score of run 2 (lab0, bob)"
}

@test "rows of another key are refused, and a lost key is said" {
    printf '%032d\n' 7 >"$out/book.db.key"
    run "$GRADE" batch --out "$out"
    [ "$status" -eq 2 ]
    has "no row of the gradebook '$out/book.db' bears the seal of the key"
    rm "$out/book.db.key"
    run "$GRADE" batch --out "$out"
    [ "$status" -eq 2 ]
    has "cannot use the key '$out/book.db.key'"
    [ ! -e "$out/book.db.key" ]
}

@test "a schema of somebody's own neither seals nor acts" {
    for sql in "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM override; END" \
        "ALTER TABLE run RENAME TO old; CREATE VIEW run AS SELECT * FROM old" \
        "ALTER TABLE run RENAME COLUMN text TO x; ALTER TABLE run RENAME COLUMN report TO text; ALTER TABLE run RENAME COLUMN x TO report" \
        "ALTER TABLE run DROP COLUMN seal; ALTER TABLE run ADD COLUMN seal TEXT NOT NULL AS (printf('%d', id))"; do
        rm -r "$out" && cp -r "$CLASS/out" "$out"
        book "$sql"
        run "$GRADE" rejudge --rubric kit --out "$out"
        echo "$output"
        [ "$status" -eq 2 ]
        has "somebody changed its tables"
    done
}

@test "an older gradebook is sealed as it stands, once, when a person says so" {
    for table in setting student source rubric attempt run measured score override; do
        book "ALTER TABLE $table DROP COLUMN seal"
    done
    book "DROP TABLE input; DROP TABLE alias; DROP TABLE forgotten; DROP TABLE participant; DROP TABLE evidence; DROP TABLE decision; DROP TABLE rules; DROP TABLE forgotten_path; PRAGMA user_version = 3"
    run "$GRADE" batch --out "$out"
    [ "$status" -eq 2 ]
    has "was written before rows were sealed"
    run "$GRADE" seal accept --out "$out"
    [ "$status" -eq 0 ]
    run "$GRADE" rejudge --rubric kit --out "$out"
    [ "$status" -eq 0 ]
    has "2 runs scored, 0 marks changed"
    book "UPDATE run SET report = (SELECT report FROM run WHERE id = 1) WHERE id = 2" # from now on nothing is taken
    refused "run 2 (lab0, bob)"
}

@test "rows that are removed are graded and imported again" {
    book "UPDATE run SET report = (SELECT report FROM run WHERE id = 1) WHERE id = 2; UPDATE override SET points = 100;
        UPDATE attempt SET submitted = 1 WHERE id = 1"
    run "$GRADE" seal --out "$out"
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 4 ] # three rows, and their number
    run "$GRADE" seal drop --out "$out"
    [ "$status" -eq 0 ]
    run "$GRADE" batch "$CLASS/in" --out "$out" --engine sim
    [ "$status" -eq 0 ]
    has "1 of them new"
    has "1 graded"
    [ "$(mark alice)" = 100 ]
    [ "$(mark bob)" = 0 ]
}

@test "merge: another machine's gradebook needs the class's key, and forged runs are refused" {
    later=$dir/later
    measure() { # as a card would: a run with a measured speed, sealed with the key of $later
        sqlite3 "$later/book.db" "INSERT INTO run (source, lab, tool, seed, profile, report, text, ptx, ptx_hash, at, seconds)
            SELECT source, lab, tool, seed, 'h200, NVIDIA X', json_set(report, '\$.speed.model', json('false'),
            '\$.speed.speedup', 1000, '\$.speed.card', json('{\"end\": \"done\", \"ratios\": []}')), '', '', '', 1, 0
            FROM run WHERE id = 1"
        "$GRADE" seal accept --out "$later" >/dev/null
    }
    grade_both "$later" alice bob # with a key of its own
    measure
    run "$GRADE" merge "$later/book.db" --out "$out"
    [ "$status" -eq 2 ]
    has "no run of '$later/book.db' bears the seal of this class's key: copy '$out/book.db.key'"
    rm -r "$later" && mkdir "$later"
    cp "$out/book.db.key" "$later/"
    grade_both "$later" alice bob
    measure
    cp -r "$later" "$dir/forged"
    run "$GRADE" merge "$later/book.db" --out "$out"
    echo "$output"
    [ "$status" -eq 0 ]
    has "1 measurements taken"
    sqlite3 "$dir/forged/book.db" "UPDATE run SET report = json_set(report, '\$.speed.speedup', 2000) WHERE profile LIKE '%X'"
    run "$GRADE" merge "$dir/forged/book.db" --out "$out"
    echo "$output"
    [ "$status" -eq 2 ]
    has "the row 'run 3 (lab0, alice)' does not bear"
    has "nothing is merged"
    sqlite3 "$dir/forged/book.db" "ALTER TABLE run RENAME TO old; CREATE VIEW run AS SELECT id, source, lab, tool, seed,
        profile, report, text, ptx, ptx_hash, at, seconds, html, seal('run', '') AS seal FROM old"
    run "$GRADE" merge "$dir/forged/book.db" --out "$out"
    [ "$status" -eq 2 ]
    has "somebody changed its tables"
}
