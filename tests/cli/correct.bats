#!/usr/bin/env bats
# Corrections: what a wrong class list, alias, group or folder's name gave to the wrong person moves when it is put
# right; what a person decides about an attempt holds; and the course's rules are the gradebook's. Nothing is graded here
# that builds, so that the tests are quick.

setup() {
    dir=$BATS_TEST_TMPDIR
    out=$dir/out
    in=$dir/in
    mkdir "$in"
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
hasnt() { [[ $output != *"$1"* ]] || { echo "'$1' in: $output"; return 1; }; }
book() { sqlite3 "$out/book.db" "$1"; }
put() { # put PATH [TEXT]: a source that does not build
    mkdir -p "$(dirname "$in/$1")"
    echo "int x; // ${2-$1} }}" >"$in/$1"
}
batch() { run "$GRADE" batch "$@" --out "$out" --engine sim; echo "$output"; }
grade() { run "$GRADE" "$@" --out "$out"; echo "$output"; }
# STUDENT ATTEMPT PATH for each attempt. Fails unless the ledger says the same, and each row is sealed.
whose() {
    diff <(book "SELECT student || ' ' || file FROM attempt ORDER BY 1") \
        <(book "SELECT student || ' ' || path FROM input WHERE fate IN ('taken', 'unmatched') ORDER BY 1") >&2
    [ "$("$GRADE" seal --out "$out")" = "0 rows do not bear the class's seal" ]
    book "SELECT student || ' ' || id || ' ' || replace(file, '$in/', '') FROM attempt ORDER BY 1"
}

@test "a roster with two numbers swapped, corrected: each gets the own work" {
    put smithjohn_1001_555_lab0.cu
    put smithjohnny_1002_556_lab0.cu
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\n"Smith, Johnny",1001,s2,j2,A\n"Smith, John",1002,s1,j1,A\n' >"$dir/roster.csv"
    sed -i 's/"Smith, John[a-z]*"/"Doe, J"/' "$dir/roster.csv" # the number alone tells them apart
    sed -i 's/^int/long/' "$in/smithjohn_1001_555_lab0.cu"
    batch "$in" --roster "$dir/roster.csv" --lenient
    [ "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY file)")" = "s2,s1" ]
    sed -i 's/1001/100X/; s/1002/1001/; s/100X/1002/' "$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv" --lenient
    has "lab0 attempt 1, '$in/smithjohn_1001_555_lab0.cu': from 's2' to 's1'"
    has "lab0 attempt 2, '$in/smithjohnny_1002_556_lab0.cu': from 's1' to 's2'"
    has "2 submissions, 0 of them new"
    [ "$(whose)" = "s1 1 smithjohn_1001_555_lab0.cu"$'\n'"s2 2 smithjohnny_1002_556_lab0.cu" ]
    batch "$in" --lenient # and so it stays
    hasnt " from '"
}

@test "an alias to the wrong person, corrected; a group that grows and shrinks" {
    put team/lab0.cu
    printf 'name,id\nAnn,s1\nBob,s2\nCem,s3\n' >"$dir/roster.csv"
    alias() { printf 'alias,student\n' >"$dir/alias.csv"; printf 'team,%s\n' "$@" >>"$dir/alias.csv"; batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"; }
    alias s1
    [ "$(whose)" = "s1 1 team/lab0.cu" ]
    printf 'alias,student\nteam,s2\n' >"$dir/alias.csv"
    batch --alias "$dir/alias.csv"
    has "attempts follow a corrected list when you import their download again"
    alias s2
    hasnt "corrected list"
    has "lab0 attempt 1, '$in/team/lab0.cu': from 's1' to 's2'"
    [ "$(whose)" = "s2 1 team/lab0.cu" ]
    alias s2 s3
    hasnt "from"
    has "2 submissions, 1 of them new"
    [ "$(whose)" = "s2 1 team/lab0.cu"$'\n'"s3 2 team/lab0.cu" ]
    alias s3
    has "lab0 attempt 1, '$in/team/lab0.cu': no longer that of 's2'"
    [ "$(whose)" = "s3 2 team/lab0.cu" ]
    alias s1 s2
    has "lab0 attempt 2, '$in/team/lab0.cu': from 's3' to 's1'"
    [ "$(whose)" = "s1 2 team/lab0.cu"$'\n'"s2 3 team/lab0.cu" ]
}

@test "an alias taken away: the attempt is its author's again, who is on no roster" {
    put team/lab0.cu
    printf 'name,id\nAnn,s1\n' >"$dir/roster.csv"
    printf 'alias,student\nteam,s1\n' >"$dir/alias.csv"
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    printf 'alias,student\n' >"$dir/alias.csv"
    batch "$in" --alias "$dir/alias.csv"
    [ "$status" -eq 2 ]
    has "lab0 attempt 1, '$in/team/lab0.cu': from 's1' to '?team'"
    [ "$(whose)" = "?team 1 team/lab0.cu" ]
}

@test "Gradescope: a member who is added or removed in a later export" {
    put e/submission_1/lab0.cu
    printf 'name,sid\nAnn,s1\nBob,s2\nCem,s3\n' >"$dir/roster.csv"
    members() {
        { printf 'submission_1:\n  :submitters:\n'; printf "  - :name: x\n    :sid: '%s'\n" "$@"; printf '  :created_at: 2026-10-01 12:00:00 Z\n'; } >"$in/e/submission_metadata.yml"
        batch "$in/e" --roster "$dir/roster.csv"
    }
    members s1 s2
    [ "$(whose)" = "s1 1 e/submission_1/lab0.cu"$'\n'"s2 2 e/submission_1/lab0.cu" ]
    members s2 s3
    has "lab0 attempt 1, '$in/e/submission_1/lab0.cu': from 's1' to 's3'"
    [ "$(whose)" = "s2 2 e/submission_1/lab0.cu"$'\n'"s3 1 e/submission_1/lab0.cu" ]
    members s2
    has "lab0 attempt 1, '$in/e/submission_1/lab0.cu': no longer that of 's3'"
    [ "$(whose)" = "s2 2 e/submission_1/lab0.cu" ]
}

@test "a folder that is renamed moves; the same bytes from somebody else do not" {
    put ann/lab0.cu same
    printf 'name,id\nann,s1\nbob,s2\ncem,s3\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    mv "$in/ann" "$in/bob"
    batch "$in"
    has "lab0 attempt 1, '$in/bob/lab0.cu': from 's1' to 's2'"
    [ "$(whose)" = "s2 1 bob/lab0.cu" ]
    put cem/lab0.cu same # copied by another student, in a download that does not contain the first
    touch -d '2026-10-03 12:00 UTC' "$in/cem/lab0.cu"
    mv "$in/bob" "$dir/"
    batch "$in"
    hasnt "from"
    has "'$in/cem/lab0.cu' has the bytes of lab0 attempt 1 of 's2', whose path '$in/bob/lab0.cu' is gone: if it was renamed, ./grade drop 1"
    [ "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" = s2,s3 ]
    mkdir "$in/ann" && (cd "$dir/bob" && zip -q "$in/ann/work.zip" lab0.cu && rm -r "$dir/bob" "$in/cem")
    sed -i 's/x;/y;/' "$in"/*/*.cu 2>/dev/null || true
    mv "$in/ann/work.zip" "$in/ann.zip" && rmdir "$in/ann"
    batch "$in"
    mv "$in/ann.zip" "$in/bob.zip"
    batch "$in"
    has "'$in/bob.zip/lab0.cu': from 's1' to 's2'"
}

@test "a download that lies elsewhere, or is an archive of another name, is the same evidence" {
    put hw/1001/lab0.cu
    put hw/1002/lab0.cu
    printf 'name,sid\nAnn,1001\nBob,1002\n' >"$dir/roster.csv"
    (cd "$in" && zip -qr "$dir/a.zip" hw)
    batch "$dir/a.zip" --roster "$dir/roster.csv"
    mv "$dir/a.zip" "$dir/a (1).zip"
    printf 'name,sid,login\nAnn,s1,1002\nBob,s2,1001\n' >"$dir/roster.csv"
    batch "$dir/a (1).zip" --roster "$dir/roster.csv"
    has "lab0 attempt 1, '$dir/a (1).zip/hw/1001/lab0.cu': from '1001' to 's2'"
    has "lab0 attempt 2, '$dir/a (1).zip/hw/1002/lab0.cu': from '1002' to 's1'"
    printf 'name,sid,login\nAnn,s1,1001\nBob,s2,1002\n' >"$dir/roster.csv"
    batch "$in/hw" --roster "$dir/roster.csv"
    has "lab0 attempt 1, '$in/hw/1001/lab0.cu': from 's2' to 's1'"
    has "lab0 attempt 2, '$in/hw/1002/lab0.cu': from 's1' to 's2'"
}

@test "an earlier attempt follows, too, when the student has a newer source in the same folder" {
    put 1001/lab0.cu
    put 1002/lab0.cu
    printf 'name,sid,login\nAnn,s1,1002\nBob,s2,1001\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    touch -d 2026-10-01 "$in/1001/lab0.cu"
    put 1001/lab0_coalescing.cu
    printf 'name,sid,login\nAnn,s1,1001\nBob,s2,1002\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    has "lab0 attempt 1, '$in/1001/lab0.cu': from 's2' to 's1'"
    [ "$(book "SELECT group_concat(student || ' ' || replace(file, '$in/', ''), ', ') FROM (SELECT * FROM attempt ORDER BY 1)")" = "s1 1001/lab0.cu, s2 1002/lab0.cu, s1 1001/lab0_coalescing.cu" ]
    [ "$(book "SELECT student FROM input WHERE path = '$in/1001/lab0.cu'")" = s1 ]
}

@test "a gradebook of before remembers no evidence: a correction finds its attempts by path" {
    put smithjohn_1001_555_lab0.cu
    put team/lab0.cu
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\n"Doe, J",1002,s1,j1,A\n"Roe, K",1001,s2,j2,A\n' >"$dir/roster.csv"
    printf 'alias,student\nteam,s1\n' >"$dir/alias.csv"
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    book "DROP TABLE evidence; DROP TABLE decision; DROP TABLE rules; DROP TABLE forgotten_path; PRAGMA user_version = 6"
    mv "$out/book.db.key" "$dir/key"
    batch
    [ "$status" -eq 2 ]
    has "cannot use the key '$out/book.db.key'"
    mv "$dir/key" "$out/book.db.key"
    sed -i 's/1001/100X/; s/1002/1001/; s/100X/1002/' "$dir/roster.csv"
    printf 'alias,student\nteam,s2\n' >"$dir/alias.csv"
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    has "lab0 attempt 1, '$in/smithjohn_1001_555_lab0.cu': from 's2' to 's1'"
    has "lab0 attempt 2, '$in/team/lab0.cu': from 's1' to 's2'"
    [ "$(whose)" = "s1 1 smithjohn_1001_555_lab0.cu"$'\n'"s2 2 team/lab0.cu" ]
    grade drop 2 --reason x
    [ "$(whose)" = "s1 1 smithjohn_1001_555_lab0.cu" ]
}

@test "a partial download leaves the attempts of the others where they are" {
    put ann/lab0.cu
    put bob/lab0.cu
    batch "$in"
    rm -r "$in/ann"
    put bob/lab0.cu 'another attempt'
    batch "$in"
    hasnt "from"
    [ "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" = ann,bob,bob ]
}

@test "Canvas: the newest download tells who is late, and that it changed is said" {
    put doejane_LATE_1001_555_lab0.cu work
    printf '{"late": {"percent": 10}, "labs": {"lab0": {"due": "2026-10-05"}}}\n' >"$dir/course.json"
    batch "$in" --course "$dir/course.json"
    [ "$(book 'SELECT id, late FROM attempt')" = "1|1" ]
    mv "$in/doejane_LATE_1001_555_lab0.cu" "$in/doejane_1001_555_lab0.cu"
    batch "$in"
    has "lab0 attempt 1 of 'doejane-1001', '$in/doejane_1001_555_lab0.cu': no longer late, by the newest download"
    [ "$(book 'SELECT id, late FROM attempt')" = "1|2" ]
    mv "$in/doejane_1001_555_lab0.cu" "$in/doejane_LATE_1001_555_lab0.cu"
    batch "$in"
    has "'$in/doejane_LATE_1001_555_lab0.cu': late now, by the newest download"
    batch "$in"
    hasnt "late"
}

@test "move, drop and restore: an attempt by hand, which no import takes back" {
    put ann/lab0.cu
    put mallory/lab0.cu
    printf 'name,id\nann,s1\nbob,s2\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv" --lenient
    run "$GRADE" report --out "$out"
    has "?mallory: '$in/mallory/lab0.cu', lab0: taken, but its author is not on the roster: attempt 2"
    grade report ann
    has "lab0 attempt 1: 0 of 100 points, "
    has "'$in/ann/lab0.cu'"
    [ "$(jq '.students[] | select(.key == "s2").labs.lab0.points' "$out/gradebook.json")" = null ]

    grade move 2 bob --by Kim
    [ "$status" -eq 0 ]
    has "lab0 attempt 2: from '?mallory' to 's2'"
    has "s2 lab0: - -> 0"
    [ "$(jq '.students[] | select(.key == "s2").labs.lab0.points' "$out/gradebook.json")" = 0 ]
    batch "$in" --lenient
    hasnt "from"
    [ "$(whose)" = "s1 1 ann/lab0.cu"$'\n'"s2 2 mallory/lab0.cu" ]
    grade report bob
    has "moved to 's2' by Kim, 2"

    grade drop 1 --by Kim --reason "handed in by her brother"
    [ "$status" -eq 0 ]
    has "lab0 attempt 1: no longer counts for 's1'"
    has "s1 lab0: 0 -> -"
    grep "Attempt 1 does not count, as Kim decided, 2.* UTC: handed in by her brother" "$out/feedback/lab0/s1.txt"
    batch "$in" --lenient
    has "0 of them new"
    [ "$(whose)" = "s2 2 mallory/lab0.cu" ]
    batch "$in" # without --lenient: who mallory is was decided
    [ "$status" -eq 0 ]
    run "$GRADE" report --out "$out"
    has "s1: '$in/ann/lab0.cu', lab0: not counted, as a person decided"
    batch "$in" --dry-run
    has "s1: '$in/ann/lab0.cu', lab0: not counted, as a person decided: attempt 1, which is known"

    grade restore 1
    [ "$status" -eq 0 ]
    has "s1 lab0: - -> 0"
    grade restore 2
    has "s2 lab0: 0 -> -"
    [ "$(whose)" = "?mallory 2 mallory/lab0.cu"$'\n'"s1 1 ann/lab0.cu" ]
    grade move 1 bob
    mv "$in/mallory" "$in/cem" # another student's correction leaves the decision alone
    batch "$in" --lenient
    [ "$(book 'SELECT student FROM attempt WHERE id = 1')" = s2 ]
    put bob/lab0.cu ann/lab0.cu # the same bytes, as his own
    batch "$in" --lenient
    [ "$(book "SELECT count(*) FROM attempt WHERE student = 's2'")" = 1 ]
    grade move 1 ann
    [ "$(book "SELECT group_concat(student || id) FROM (SELECT * FROM attempt WHERE student <> '?cem' ORDER BY 1)")" = "s11,s23" ]
}

@test "commands that name an attempt or a student say what they do not understand" {
    put ann/lab0.cu
    put kim/lab0.cu
    printf 'name,id\nann,s1\nMinjun Kim,1001\nMinjun Kim,1002\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv" --lenient
    fails() { # fails MESSAGE WORD…
        local message=$1 before
        shift
        before=$(book .dump)
        run "$GRADE" "$@" --out "$out"
        echo "$*: $output"
        [ "$status" -eq 2 ]
        has "$message"
        [ "$(book .dump)" = "$before" ]
    }
    fails "'x' is no attempt's number" move x ann
    fails "there is no attempt 7 in '$out/book.db'" move 7 ann
    fails "there is no attempt 7" drop 7 --reason x
    fails "'nobody' matches no student in this gradebook" move 1 nobody
    fails "attempt 1 is that of 's1' already" move 1 ann
    fails "which attempt, and to whom?" move 1
    fails "needs a --reason" drop 1
    fails "needs a --reason" drop 1 --reason ''
    fails "attempt 1 was neither moved nor dropped" restore 1
    for command in "move 1" "override" "forget" "report"; do
        words=() && [ "$command" != override ] || words=(lab0 5 --reason x)
        fails "'Minjun Kim' means 2 students: say the key of one of them, '1001', '1002'" $command "Minjun Kim" "${words[@]}"
    done
    fails "'ann' is no student's key; this student's key is 's1'" forget ann
    "$GRADE" move 1 1001 --out "$out"
    fails "attempt 1 is that of '1001' already" move 1 1001
    "$GRADE" drop 1 --reason x --out "$out"
    fails "attempt 1 was dropped before" drop 1 --reason x
}

# A class with late rules: ann's mark is 5 by hand, bob's is what a rule leaves of it.
with_rules() {
    put ann/lab0.cu
    touch -d '2026-10-07 12:00 UTC' "$in/ann/lab0.cu"
    printf 'name,id\nann,s1\nbob,s2\n' >"$dir/roster.csv"
    printf '{"course": "%s", "late": {"percent": %d}, "labs": {"lab0": {"due": "2026-10-05"}}, "extensions": {"s2": {"lab0": "2d"}}}\n' "${1-One}" "${2-10}" >"$dir/course.json"
    "$GRADE" batch "$in" --roster "$dir/roster.csv" --course "$dir/course.json" --out "$out" --engine sim
    "$GRADE" override s1 lab7 5 --reason x --out "$out"
    # What grading would give, so that lateness costs something: a score by hand, sealed.
    book "UPDATE score SET builds = 5, correct = 40, safe = 20, technique = 15, speed = 20, total = 100, passed = 1"
    "$GRADE" seal accept --out "$out"
    "$GRADE" batch --out "$out" --engine sim
}
exports() { (cd "$out" && sha256sum gradebook.json ./*.csv feedback/*/*.txt); }
applied() { jq -r '.students[] | select(.key == "s1").labs.lab0.applied' "$out/gradebook.json"; }
mark() { jq ".students[] | select(.key == \"s1\").labs.lab0.points" "$out/gradebook.json"; }

# bats test_tags=rest
@test "course.json edited, moved or absent: no command of the guide changes a mark, and each says what holds" {
    with_rules
    [ "$(mark)" = 80 ]
    late=$(applied)
    [[ $late == *"Late by 1 d 12 h"* ]]
    cp -r "$out" "$dir/kept"
    for state in edited moved absent; do
        for command in "batch" "batch $in" "batch $in --dry-run" "override s2 lab7 none --reason x" "rejudge --rubric kit --diff" \
            "rejudge --rubric kit" "merge" "report" "report ann" "report --pseudonyms" "drop 1 --reason x" "move 1 s2" "forget s2" "seal" "replay 1"; do
            rm -rf "$out" && cp -r "$dir/kept" "$out"
            with_file=$dir/course.json
            printf '{"course": "One", "late": {"percent": 10}, "labs": {"lab0": {"due": "2026-10-05"}}, "extensions": {"s2": {"lab0": "2d"}}}\n' >"$with_file"
            case $state in
            edited) sed -i 's/"percent": 10/"percent": 50/' "$with_file" ;;
            moved) mv "$with_file" "$dir/rules.json" ;;
            absent) rm "$with_file" ;;
            esac
            before=$(book 'SELECT hash, text FROM rules')
            run "$GRADE" $command --out "$out"
            echo "$state, $command: $output"
            case $command in
            seal) ;;
            *) case $state in edited) has "'$with_file' has changed" ;; *) has "'$with_file', from which the course's rules were taken, cannot be read" ;; esac ;;
            esac
            case $command in
            drop* | move*) has "s1 lab0: 80 passed -> -" ;;
            "rejudge --rubric kit" | merge) [ "$(applied)" = "${late/20/0}" ] && has "s1 lab0: 80 passed -> 0" ;; # the score by hand goes
            forget*) [ "$(mark)" = 80 ] && has "strike the extension of this person from" ;;
            *) [ "$(book 'SELECT hash, text FROM rules')" = "$before" ] && [ "$(mark)" = 80 ] ;;
            esac
        done
    done
}

@test "new rules come by --course alone, and each mark that they change is printed" {
    with_rules
    [ "$(mark)" = 80 ]
    with_rules_of() { sed "s/\"percent\": [0-9]*/\"percent\": $1/" "$dir/course.json" >"$dir/other.json"; }
    with_rules_of 20
    batch --course "$dir/other.json"
    has "the course's rules are in the gradebook now, as '$dir/other.json' has them"
    has "s1 lab0: 80 passed -> 60 passed"
    [ "$(mark)" = 60 ]
    rm "$dir/other.json"
    grade override s2 lab7 5 --reason x
    has "'$dir/other.json', from which the course's rules were taken, cannot be read: No such file or directory"
    [ "$(mark)" = 60 ]
    grade override s2 lab7 6 --reason x --course "$dir/course.json"
    has "s1 lab0: 60 passed -> 80 passed"
    [ "$(mark)" = 80 ]
    # rules that are refused are not taken
    sed 's/"s2"/"s9"/' "$dir/course.json" >"$dir/wrong.json"
    for command in "batch" "override s2 lab7 7 --reason x"; do
        run "$GRADE" $command --out "$out" --course "$dir/wrong.json"
        [ "$status" -eq 2 ]
        has "extensions.s9: nobody in the class has this name or number"
        batch
        [ "$status" -eq 0 ]
        [ "$(mark)" = 80 ]
    done
}

@test "what only reads or tries writes nothing into the gradebook" {
    with_rules
    put cem/lab0.cu
    printf '{"late": {"percent": 50}, "labs": {"lab0": {"due": "2026-10-05"}}}\n' >"$dir/other.json"
    printf 'name,id\nann,s7\n' >"$dir/other.csv"
    printf 'alias,student\ncem,s7\n' >"$dir/alias.csv"
    printf '{"name": "x", "rows": {"speed": 10}}\n' >"$dir/rubric.json"
    before=$(book .dump) exported=$(exports)
    for command in "batch $in --dry-run --course $dir/other.json --roster $dir/other.csv --alias $dir/alias.csv" \
        "report --course $dir/other.json" "report ann --course $dir/other.json" "rejudge --diff --rubric $dir/rubric.json --course $dir/other.json"; do
        run "$GRADE" $command --out "$out"
        echo "$command: $output"
        [ "$status" -ne 1 ]
        [ "$(book .dump)" = "$before" ]
        [ "$(exports)" = "$exported" ]
    done
}

@test "a gradebook of before, with the path of course.json alone: copied once, and refused if the file is not there" {
    with_rules
    book "DELETE FROM rules"
    mv "$dir/course.json" "$dir/gone.json"
    for command in "batch" "report" "override s2 lab7 5 --reason x" "merge" "drop 1 --reason x"; do
        before=$(exports)
        run "$GRADE" $command --out "$out"
        echo "$command: $output"
        [ "$status" -eq 2 ]
        has "the gradebook '$out/book.db' has no rules of its own, and '$dir/course.json', where they were, cannot be read"
        [ "$before" = "$(exports)" ]
    done
    mv "$dir/gone.json" "$dir/course.json"
    grade report
    [ "$status" -eq 0 ]
    [ "$(book 'SELECT count(*) FROM rules')" = 0 ]
    grade override s2 lab7 5 --reason x
    has "the course's rules are in the gradebook now, as '$dir/course.json' has them"
    [ "$(mark)" = 80 ]
    rm "$dir/course.json"
    grade batch
    [ "$(mark)" = 80 ]
    book "UPDATE rules SET text = replace(text, '10', '0')"
    grade report
    [ "$status" -eq 2 ]
    has "the row 'rules $dir/course.json' does not bear the class's seal"
}

# A compiler that refuses at once, and takes SECONDS for it.
slow_compiler() { # slow_compiler SECONDS
    local compiler
    compiler=$("$GRADE" doctor | grep -o '/[^ ]*/nvcc\|/[^ ]*/clang[^ ]*' | head -n 1)
    export WARPWISE_COMPILER=$dir/$(basename "$compiler")
    cat >"$WARPWISE_COMPILER" <<END
#!/bin/sh
case "\$*" in *--version*) exec $compiler --version ;; esac
sleep $1
for word; do case \$word in *.cu) echo "\$word(1): error: refused"; exit 1 ;; esac; done
exec $compiler "\$@"
END
    chmod +x "$WARPWISE_COMPILER"
}
descendants() { local child; for child in $(ps -o pid= --ppid "$1"); do echo "$child"; descendants "$child"; done; }
# Fails unless all these processes end within two seconds.
all_end() {
    local process state living
    for _ in $(seq 20); do
        living=
        for process in "$@"; do
            state=$(cut -d' ' -f3 "/proc/$process/stat" 2>/dev/null) || continue
            [ "$state" = Z ] || living+=" $process"
        done
        [ -n "$living" ] || return 0
        sleep 0.1
    done
    ps -o pid,ppid,args $living
    return 1
}

@test "a batch that is killed leaves no process, and the next one removes its folders" {
    export TMPDIR=$dir/tmp
    mkdir "$TMPDIR"
    slow_compiler 5
    for student in ann bob cem; do put $student/lab0.cu; done
    for level in landlock full; do
        WARPWISE_SANDBOX=$level "$GRADE" batch "$in" --out "$out" --engine sim --jobs 2 >/dev/null 2>&1 3>&- &
        pid=$!
        for _ in $(seq 100); do [ "$(pgrep -cP $pid)" -lt 2 ] || [ "$(descendants $pid | wc -l)" -lt 6 ] || break; sleep 0.05; done
        all=$(descendants $pid)
        [ "$(wc -l <<<"$all")" -ge 6 ]
        kill -9 $pid
        all_end $all
        wait $pid || true
        # As if the workers had been killed, too:
        mkdir "$TMPDIR/warpwise-box-dead00" "$TMPDIR/warpwise-box-alive0" "$TMPDIR/other"
        exec 8<"$TMPDIR/warpwise-box-alive0"
        flock -s 8
        "$GRADE" batch "$in" --dry-run --out "$out"
        [ "$(ls "$TMPDIR")" = "other"$'\n'"warpwise-box-alive0" ]
        exec 8>&-
        "$GRADE" batch "$in" --dry-run --out "$out"
        [ "$(ls "$TMPDIR")" = other ]
        rmdir "$TMPDIR/other"
    done
}

@test "two batches at once judge nothing twice, and say so; one may be killed" {
    slow_compiler 0.3
    for i in 1 2 3 4 5 6 7 8; do put s$i/lab0.cu; done
    both() { "$GRADE" batch "$in" --out "$out" --engine sim --jobs 2 >"$dir/log$1" 2>&1 3>&- & }
    both 1; first=$!
    both 2; second=$!
    wait $first
    wait $second
    cat "$dir/log1" "$dir/log2"
    [ "$(cat "$dir"/log? | awk '/ graded;/ { sum += $1 } END { print sum }')" = 8 ]
    grep -q "another batch grades this gradebook, too: process \($first\|$second\)$" "$dir/log1" "$dir/log2"
    [ "$(book 'SELECT count(*) FROM run')" = 8 ]
    rm -r "$out"
    both 1; first=$!
    sleep 0.3
    both 2; second=$!
    sleep 0.7
    kill -9 $first
    wait $second
    wait $first || true
    cat "$dir/log2"
    grep "another batch grades this gradebook, too: process $first$" "$dir/log2"
    [ "$(book 'SELECT count(*) FROM run')" = 8 ]
    [ "$(book 'SELECT count(*) FROM failure')" = 0 ]
    [ "$(jq '[.students[] | select(.labs.lab0.points == 0)] | length' "$out/gradebook.json")" = 8 ]
}

# bats test_tags=rest
@test "killed twelve times while it imports and grades: the same bytes as undisturbed" {
    local pid
    slow_compiler 0.1
    for i in $(seq 12); do
        put s$i/lab0.cu
        put s$i/lab3.cu
    done
    find "$in" -name '*.cu' -exec touch -d '2026-10-07 12:00 UTC' {} +
    { echo name,id; for i in $(seq 11); do echo "s$i,k$i"; done; } >"$dir/roster.csv"
    printf 'alias,student\ns12,k1\ns12,k2\n' >"$dir/alias.csv"
    printf '{"late": {"percent": 10}, "labs": {"lab0": {"due": "2026-10-05"}}}\n' >"$dir/course.json"
    local command=("$GRADE" batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv" --course "$dir/course.json" --engine sim --out)
    mkdir "$dir/right" "$out"
    "${command[@]}" "$dir/right" >/dev/null
    cp "$dir/right/book.db.key" "$out/"
    for after in 0.01 0.03 0.06 0.1 0.15 0.2 0.3 0.4 0.5 0.6 0.8 1; do
        "${command[@]}" "$out" >/dev/null 2>&1 3>&- &
        pid=$!
        sleep $after
        kill -9 $pid 2>/dev/null || true
        wait $pid 2>/dev/null || true
    done
    "${command[@]}" "$out"
    [ "$(book 'PRAGMA integrity_check')" = ok ]
    [ "$("$GRADE" seal --out "$out")" = "0 rows do not bear the class's seal" ]
    diff -r -x 'book.db*' "$dir/right" "$out"
    for table in '* FROM attempt' '* FROM student' 'path, student, lab, fate, why FROM input' \
        'student, lab, source, path, attempt, submitted, late FROM evidence'; do
        diff <(sqlite3 "$dir/right/book.db" "SELECT $table ORDER BY 1, 2, 3") <(book "SELECT $table ORDER BY 1, 2, 3")
    done
}

@test "merge blames the file that is no gradebook, and not the healthy one" {
    put ann/lab0.cu
    batch "$in"
    echo "this is a text and no database, long enough to be looked at as one by whoever opens it" >"$dir/text"
    sqlite3 "$dir/other.db" 'CREATE TABLE song (title TEXT)'
    { head -c 4096 "$out/book.db"; head -c 40960 /dev/urandom; } >"$dir/damaged.db"
    for file in text other.db damaged.db; do
        grade merge "$dir/$file"
        [ "$status" -eq 2 ]
        has "'$dir/$file' is no gradebook"
        hasnt "'$out/book.db' is no"
    done
}

@test "who was forgotten stays so when the same download is imported again" {
    put ann/lab0.cu
    put jspark/lab0.cu
    put jspark/old/lab0.cu
    touch -d '2026-10-01' "$in/jspark/old/lab0.cu"
    echo text >"$in/jspark/notes.txt"
    put team/lab0.cu
    printf 'name,id\nann,s1\njspark,s2\n' >"$dir/roster.csv"
    printf 'alias,student\nteam,s1\nteam,s2\n' >"$dir/alias.csv"
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    grade forget s2
    [ "$status" -eq 0 ]
    for again in "$in" "$in --dry-run"; do
        batch $again
        [ "$status" -eq 0 ]
        has "1 more are those of persons who were forgotten: not taken"
        hasnt "not on the roster"
    done
    [ "$(book "SELECT group_concat(key) FROM student")" = s1 ]
    [ "$(book "SELECT group_concat(path, ' ') FROM (SELECT path FROM input ORDER BY 1)")" = "$in/ann/lab0.cu $in/team/lab0.cu" ]
    [ "$(book "SELECT count(*) FROM source WHERE text LIKE '%jspark%'")" = 0 ]
    run grep -c jspark "$out/book.db"
    [ "$output" = 0 ]
    put jspark/lab0.cu 'something new' # is a new hand-in of somebody who is on no roster
    batch "$in"
    [ "$status" -eq 2 ]
    has "not on the roster: 'jspark'"
    put jspark/lab0.cu
    printf 'name,id\nann,s1\njspark,s2\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    has "'s2' was forgotten and is on the roster again, so this is taken: '$in/jspark/lab0.cu'"
    hasnt "forgotten: not taken"
    [ "$(book "SELECT count(*) FROM attempt WHERE student = 's2'")" = 2 ]
}

@test "forget takes what was moved: it is nobody's, and the other's stays the other's" {
    put ann/lab0.cu
    put bob/lab0.cu
    put cem/lab0.cu
    printf 'name,id\nann,s1\nbob,s2\ncem,s3\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    "$GRADE" move 1 bob --out "$out" # of ann's folder, so that bob has two
    "$GRADE" move 2 cem --out "$out" # of bob's folder, so that it is cem's
    "$GRADE" forget s2 --out "$out"
    [ "$(whose)" = "s3 2 bob/lab0.cu"$'\n'"s3 3 cem/lab0.cu" ]
    batch "$in" --roster <(printf 'name,id\nann,s1\ncem,s3\n')
    [ "$(book "SELECT group_concat(student || id) FROM (SELECT * FROM attempt ORDER BY id)")" = s32,s33 ]
}

@test "seal drop says what the rows that it removed cost" {
    put ann/lab0.cu
    put bob/lab0.cu
    printf 'name,id\nann,s1\nbob,s2\n' >"$dir/roster.csv"
    printf '{"labs": {"lab0": {"due": "2026-10-05"}}}\n' >"$dir/course.json"
    batch "$in" --roster "$dir/roster.csv" --course "$dir/course.json"
    book "UPDATE student SET name = 'x' WHERE key = 's2'; UPDATE rules SET text = '{}'; UPDATE evidence SET late = 1 WHERE student = 's1'"
    grade seal drop
    has "some students are no longer on the class list: say --roster FILE with the next batch"
    has "the course's rules are gone: say --course FILE with the next command"
    hasnt "aliases"
    batch "$in" --roster "$dir/roster.csv"
    has "the course's rules are in the gradebook now, as '$dir/course.json' has them"
    has "2 submissions, 1 of them new"
    [ "$(whose)" = "s1 1 ann/lab0.cu"$'\n'"s2 2 bob/lab0.cu" ]
}
