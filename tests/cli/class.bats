#!/usr/bin/env bats
# What an instructor hands to a batch: nothing vanishes, and each mark belongs to the right student. Nothing is graded
# here that builds, so that the tests are quick.

setup() {
    dir=$BATS_TEST_TMPDIR
    out=$dir/out
    in=$dir/in
    mkdir "$in"
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
hasnt() { [[ $output != *"$1"* ]] || { echo "'$1' in: $output"; return 1; }; }
book() { sqlite3 "$out/book.db" "$1"; }
put() { # put PATH: a source that does not build
    mkdir -p "$(dirname "$in/$1")"
    echo "int x; // $1 }}" >"$in/$1"
}
batch() { run "$GRADE" batch "$@" --out "$out" --engine sim; echo "$output"; }

@test "nothing vanishes: every path is in the ledger once, with what became of it" {
    put alice/lab0_coalescing.cu
    put alice/old/lab0.cu
    put alice/lab7_transpose.cu
    put bob/mystery.cu
    echo text >"$in/alice/notes.txt"
    echo x >"$in/alice/.hidden"
    ln -s /etc/passwd "$in/alice/link.cu"
    mkdir "$in/carol" && printf 'PK\3\4 broken' >"$in/carol/lab0.zip"
    batch "$in" --lab lab0,lab3
    [ "$status" -eq 2 ]
    has "2 were not matched or not readable"
    diff <(cd "$in" && find . -type f -o -type l | sed 's|^./||' | sort) <(book "SELECT path FROM input" | sed "s|^$in/||" | sort)
    fate() { book "SELECT fate FROM input WHERE path = '$in/$1'"; }
    [ "$(fate alice/lab0_coalescing.cu)" = taken ]
    [ "$(fate alice/old/lab0.cu)" = superseded ]
    [ "$(fate alice/lab7_transpose.cu)" = "other lab" ]
    [ "$(fate bob/mystery.cu)" = "no lab" ]
    [ "$(fate alice/notes.txt)" = "no source" ]
    [ "$(fate alice/.hidden)" = skipped ]
    [ "$(fate alice/link.cu)" = skipped ]
    [ "$(fate carol/lab0.zip)" = unreadable ]
    run "$GRADE" report --out "$out"
    [ "$status" -eq 0 ]
    has "alice: '$in/alice/old/lab0.cu', lab0: another source of the same student is taken"
    has "bob: '$in/bob/mystery.cu': for no lab that is known"
    has "'$in/carol/lab0.zip': could not be read: "
    batch "$in" --lab lab0,lab3 --lenient
    [ "$status" -eq 0 ]
    [ "$(book "SELECT count(*) FROM input")" -eq 8 ]
}

@test "a helper beside a source that is taken is no failure" {
    put alice/lab0.cu
    put alice/helper.cu
    batch "$in"
    [ "$status" -eq 0 ]
    has "for no lab that is known: '$in/alice/helper.cu'"
}

@test "an archive that was cut is named, with exit code 2" {
    put alice/lab0.cu
    put bob/lab0.cu
    head -c 60000 /dev/urandom >"$in/bob/noise.txt"
    (cd "$in" && zip -qr ../all.zip .)
    truncate -s 30000 "$dir/all.zip"
    batch "$dir/all.zip"
    [ "$status" -eq 2 ]
    hasnt "(null)"
    has "not readable"
    run "$GRADE" report --out "$out"
    has "could not be read"
}

@test "--dry-run says what would become of each path, and changes nothing" {
    put alice/lab0.cu
    put mallory/lab0.cu
    printf 'name,id\nalice,s1\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv" --dry-run
    [ "$status" -eq 2 ]
    has "s1: '$in/alice/lab0.cu', lab0: taken: a new attempt"
    has "?mallory: '$in/mallory/lab0.cu', lab0: taken, but its author is not on the roster"
    [ "$(book 'SELECT (SELECT count(*) FROM attempt) + (SELECT count(*) FROM student) + (SELECT count(*) FROM input)')" -eq 0 ]
    [ ! -e "$out/gradebook.json" ]
}

@test "a number of one student with the name of another is nobody's, and both are named" {
    put 'Lee Min_1234_assignsubmission_file_/lab0.cu'
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\n"Doe, Jane",1234,s1,j,A\n"Lee, Min",1235,s2,m,A\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "the number is that of 's1' and the name that of 's2', so neither gets it: '$in/Lee Min_1234"
    [ "$(book "SELECT student FROM attempt")" = "?Lee Min-1234" ]
}

@test "the same bytes are the same attempt, whenever they are read" {
    put alice/lab0.cu
    touch -d '2026-10-03 12:00 UTC' "$in/alice/lab0.cu"
    batch "$in"
    touch -d '2026-10-05 12:00 UTC' "$in/alice/lab0.cu"
    batch "$in"
    has "0 of them new"
    [ "$(book "SELECT count(*), datetime(max(submitted), 'unixepoch') FROM attempt")" = "1|2026-10-03 12:00:00" ]
    touch -d '2026-10-01 12:00 UTC' "$in/alice/lab0.cu"
    batch "$in"
    [ "$(book "SELECT count(*), datetime(max(submitted), 'unixepoch') FROM attempt")" = "1|2026-10-01 12:00:00" ]
    [ "$("$GRADE" seal --out "$out")" = "0 rows do not bear the class's seal" ]
}

@test "rosters are read in the encoding in which they were saved" {
    put 김철수/lab0.cu
    put 'Zoë Müller/lab0.cu'
    for encoding in UTF-8 UTF-16 CP949 CP1252; do
        name=김철수
        [ "$encoding" != CP1252 ] || name='Zoë Müller'
        printf 'name,id\r\n%s,s1\r\nOther,s2\r\n' "$name" | iconv -f UTF-8 -t "$encoding" >"$dir/roster.csv"
        rm -rf "$out"
        batch "$in/$name" --roster "$dir/roster.csv"
        [ "$status" -eq 0 ]
        [ "$(book "SELECT a.student || ' ' || s.name FROM attempt AS a JOIN student AS s ON s.key = a.student")" = "s1 $name" ]
    done
}
