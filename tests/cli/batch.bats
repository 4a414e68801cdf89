#!/usr/bin/env bats
# A class at a time: grades equal those of single runs, what fails is tried again, and second thoughts.

setup_file() {
    export CLASS=$BATS_FILE_TMPDIR/class
    tests/batch/generate "$CLASS/in" 5 7 lab0 lab3 lab7
    mkdir -p "$CLASS/in/mallory"
    cp reference/lab0_coalescing.cu "$CLASS/in/mallory/"
    for i in 1 2 3 4 5; do printf 's%04d,Student %d,s%d@example.org\n' $i $i $i; done |
        sed '1i id,name,email' >"$CLASS/roster.csv"
    echo '=1+1,"Never Came",n@example.org' >>"$CLASS/roster.csv"
    tests/batch/key "$CLASS/out"
    "$GRADE" batch "$CLASS/in" --roster "$CLASS/roster.csv" --out "$CLASS/out" --lenient >"$CLASS/log" 2>&1
}
setup() {
    dir=$BATS_TEST_TMPDIR
    out=$dir/out
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
book() { sqlite3 "$1" "$2"; }
accept() { "$GRADE" seal accept --out "$out" >/dev/null; } # rows that a test wrote
# The course's marks and what they are made of, without what differs from run to run.
marks() { jq -S '[.students[] | {key, labs: (.labs | map_values(del(.attempt, .submitted)))}]' "$1/gradebook.json"; }
copy() { # the class's book, to be changed
    mkdir "$out"
    cp "$CLASS/out/book.db" "$CLASS/out/book.db.key" "$out/"
}

@test "everybody is graded, and who is not on the roster is listed" {
    run cat "$CLASS/log"
    has "6 submissions, 6 of them new"
    has "not on the roster: 'mallory'"
    has "6 graded"
    [ "$(jq '[.students[].labs[] | select(.points != null)] | length' "$CLASS/out/gradebook.json")" -eq 6 ]
}

# bats test_tags=rest
@test "grades equal those of single runs, and a single run reads the same" {
    for file in "$CLASS"/in/s0001/*.cu "$CLASS"/in/mallory/*.cu; do
        lab=$(basename "$file"); lab=${lab%%_*}
        student=$(basename "$(dirname "$file")"); [ "$student" != mallory ] || student='?mallory'
        "$GRADE" "$lab" "$file" --json "$dir/single.json" >/dev/null || true
        book "$CLASS/out/book.db" "SELECT r.report FROM run AS r JOIN attempt AS a ON a.source = r.source AND
            a.lab = r.lab WHERE a.student = '$student'" >"$dir/batch.json"
        diff <(jq -S 'del(.submission)' "$dir/single.json" | sed "s|$file|F|g") \
            <(jq -S 'del(.submission)' "$dir/batch.json" | sed "s|$(basename "$file")|F|g")
    done
}

@test "gradebooks: Canvas, Moodle, nbgrader; a formula stays a text" {
    run cat "$CLASS/out/gradebook-canvas.csv"
    [[ ${lines[0]} == 'Student,ID,"SIS User ID","SIS Login ID",Section,'* ]]
    [[ ${lines[1]} == '"    Points Possible",,,,,100.00'* ]]
    [ "${#lines[@]}" -eq 8 ] # mallory is on no roster
    has "\"'=1+1\""
    [ ! -e "$CLASS/out/moodle-lab0.csv" ] # Moodle knows nobody here
    run cat "$CLASS/out/nbgrader.csv"
    [ "${lines[0]}" = "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score" ]
}

@test "a roster from Canvas brings the assignments' own columns, a download the participants' numbers" {
    copy
    printf 'Student,ID,SIS User ID,SIS Login ID,Section,Lab 0 (77),Essay (5)\n"One, Student",9,s0001,s1,A,,\n' >"$dir/canvas.csv"
    mkdir "$dir/in"
    cp -r "$CLASS/in/s0001" "$dir/in/Student One_4711_assignsubmission_file"
    run "$GRADE" batch "$dir/in" --roster "$dir/canvas.csv" --out "$out"
    [ "$status" -eq 0 ]
    has "0 graded"
    head -n 1 "$out/gradebook-canvas.csv" | grep -q '"Lab 0 (77)"'
    grep -q '^"Participant 4711","One, Student",' "$out"/moodle-*.csv
    "$GRADE" batch --out "$out"
    head -n 1 "$out/gradebook-canvas.csv" | grep -q '"Lab 0 (77)"'
}

@test "feedback shows nothing of hidden cases, and says each rule" {
    copy
    labs=$(ls "$CLASS/out/feedback")
    first=$(ls "$CLASS"/out/feedback/*/s0001.txt)
    lab=$(basename "$(dirname "$first")")
    cat >"$dir/course.json" <<EOF
{"course": "CUDA C", "grace": "10m", "late": {"percent": 10, "most": 30},
 "labs": {"$lab": {"due": "2026-09-30T12:00Z"}}, "extensions": {"s1@example.org": {"$lab": "1h"}}}
EOF
    run "$GRADE" batch --course "$dir/course.json" --out "$out"
    [ "$status" -eq 0 ]
    has "0 graded"
    run cat "$out/feedback/$lab/s0001.txt"
    has "CUDA C"
    has "Due 2026-09-30 13:00:00 UTC, extended by 1 h 0 min, with a grace of 10 min."
    has "Handed in 2026-10-01 12:00:00 UTC (by the file's time)."
    has "Late by 23 h 0 min"
    run cat "$out/feedback/$lab/s0001.html"
    has "Late by 23 h 0 min"
}

# bats test_tags=rest
@test "two batches on one book: each grades a part, and the book is whole" {
    local first second
    "$GRADE" batch "$CLASS/in" --roster "$CLASS/roster.csv" --lenient --out "$out" >"$dir/first" 2>&1 &
    first=$!
    "$GRADE" batch "$CLASS/in" --roster "$CLASS/roster.csv" --lenient --out "$out" >"$dir/second" 2>&1 &
    second=$!
    wait $first
    wait $second
    cat "$dir/first" "$dir/second"
    [ "$(book "$out/book.db" 'PRAGMA integrity_check')" = ok ]
    [ "$(book "$out/book.db" 'SELECT count(*) FROM run')" -eq 6 ]
    diff <(marks "$out") <(marks "$CLASS/out")
}

@test "what the machine does not let be graded is no mark, is listed, and is tried again" {
    mkdir "$dir/in"
    cp -r "$CLASS/in/mallory" "$dir/in/"
    printf '#!/bin/sh\ncase "$*" in *--version*) exec clang-nowhere;; esac\nkill -9 $$\n' >"$dir/clang"
    chmod +x "$dir/clang"
    compiler=$("$GRADE" doctor | grep -o '/[^ ]*/nvcc\|/[^ ]*/clang[^ ]*' | head -n 1)
    printf '#!/bin/sh\ncase "$*" in *--version*) exec %s --version;; esac\nkill -9 $$\n' "$compiler" >"$dir/$(basename "$compiler")"
    chmod +x "$dir/$(basename "$compiler")"
    WARPWISE_COMPILER="$dir/$(basename "$compiler")" run "$GRADE" batch "$dir/in" --out "$out"
    echo "$output"
    [ "$status" -eq 2 ]
    has "not graded: lab0 of mallory (1 try)"
    [ "$(book "$out/book.db" 'SELECT count(*) FROM run')" -eq 0 ]
    [ "$(jq '.students[0].labs.lab0.points' "$out/gradebook.json")" = null ]
    grep -q 'not your fault' "$out/feedback/lab0/mallory.txt"
}

# bats test_tags=rest
@test "a worker that is killed takes its own submission and no other" {
    mkdir "$dir/in"
    cp -r "$CLASS/in/mallory" "$dir/in/"
    "$GRADE" batch "$dir/in" --out "$out" --jobs 1 >"$dir/log" 2>&1 &
    pid=$!
    worker=
    # A worker at work has children of its own; what asks a compiler for its version has none.
    for _ in $(seq 200); do worker=$(pgrep -P $pid) && pgrep -P $worker >/dev/null && break || sleep 0.05; done
    kill -9 $worker
    status=0
    wait $pid || status=$?
    [ "$status" -eq 2 ]
    grep -q 'not graded: lab0 of mallory (1 try): the grader was ended by signal 9' "$dir/log"
    run "$GRADE" batch --out "$out"
    [ "$status" -eq 0 ]
    has "1 graded"
}

# bats test_tags=rest
@test "a class has a key of its own, which only its owner can read" {
    [ "$(stat -c %a "$CLASS/out/book.db.key")" = 600 ]
    [ "$(wc -c <"$CLASS/out/book.db.key")" -eq 33 ]
    copy
    cp "$CLASS/out/book.db.key" "$dir/before"
    "$GRADE" batch --out "$out" >/dev/null
    cmp "$dir/before" "$out/book.db.key"
    chmod 644 "$out/book.db.key"
    run "$GRADE" replay 1 --out "$out"
    has "chmod 600"
    rm "$out/book.db.key"
    run "$GRADE" replay 1 --out "$out"
    [ "$status" -eq 2 ]
    has "book.db.key"
}

@test "rejudge: the same rubric changes nothing, another is shown first" {
    copy
    run "$GRADE" rejudge --rubric kit --out "$out"
    [ "$status" -eq 0 ]
    has "6 runs scored, 0 marks changed"
    cmp <(marks "$out") <(marks "$CLASS/out")
    echo '{"name": "week 9", "rows": {"speed": 0}, "labs": {"lab0": {"rows": {"builds": 10}}}}' >"$dir/rubric.json"
    run "$GRADE" rejudge --rubric "$dir/rubric.json" --diff --out "$out"
    [ "$status" -eq 0 ]
    has "?mallory lab0: 100 passed -> 85 passed"
    has "would change"
    cmp <(marks "$out") <(marks "$CLASS/out")
    run "$GRADE" rejudge --rubric "$dir/rubric.json" --out "$out"
    has "marks changed"
    [ "$(jq '.students[] | select(.name == "mallory").labs.lab0.points' "$out/gradebook.json")" = 85 ]
    echo '{"rows": {"sped": 0}}' >"$dir/rubric.json"
    run "$GRADE" rejudge --rubric "$dir/rubric.json" --out "$out"
    [ "$status" -eq 2 ]
    has "rows.sped: there is no such row"
}

@test "replay gives the same bytes, and notices when it does not" {
    attempt=$(jq '.students[] | select(.name == "mallory").labs.lab0.attempt' "$CLASS/out/gradebook.json")
    copy
    run "$GRADE" replay "$attempt" --out "$out"
    [ "$status" -eq 0 ]
    has "report: the same"
    book "$out/book.db" "UPDATE run SET report = replace(report, '\"total\": 100', '\"total\": 99')"
    accept
    run "$GRADE" replay "$attempt" --out "$out"
    [ "$status" -eq 1 ]
    has "report: DIFFERENT"
    page=$out/feedback/lab0/replay/$(ls "$out/feedback/lab0/replay")
    [ "$(stat -c %a "$page")" = 600 ]
    grep -q 'The two reports are the same, line by line' "$page"
    ! grep -q 'class="other"' "$page"
    book "$out/book.db" "UPDATE run SET text = replace(text, 'score     100 of 100', 'score     99 of 100')"
    accept
    run "$GRADE" replay "$attempt" --out "$out"
    has "both reports side by side: $page"
    [ "$(grep -c '<tr class="other">' "$page")" -eq 1 ]
    grep -q '<tr class="other"><td>score     99 of 100.*</td><td>score     100 of 100' "$page"
    run "$GRADE" forget '?mallory' --out "$out"
    [ ! -e "$page" ]
}

@test "marks, sources and feedback are readable by their owner alone, whatever the umask" {
    open() { find "$1" -perm /077 -printf '%M %P\n'; }
    (umask 0 && "$GRADE" batch --out "$out" && "$GRADE" report --out "$out") >/dev/null # makes a folder and a gradebook
    [ -z "$(open "$out")" ] || { open "$out"; return 1; }
    cp -r "$CLASS/out/." "$out/"
    "$GRADE" batch --out "$out" >/dev/null # feedback, too
    chmod -R a+rX "$out" && chmod 600 "$out/book.db.key" # as earlier versions, which had no key, left them
    (umask 0 && "$GRADE" batch --out "$out" && "$GRADE" report --out "$out") >/dev/null
    left=$(open "$out" | grep -v '^d\S* $' || true) # the folder itself may be anybody's
    echo "$left"
    [ -z "$left" ]
    [ -s "$out/gradebook.json" ] && [ -n "$(ls "$out/feedback")" ] && [ -s "$out/report.html" ]
}

@test "override: who, when and why; the rules' mark comes back" {
    copy
    run "$GRADE" override mallory lab0 50 --out "$out"
    [ "$status" -eq 2 ]
    has "--reason"
    run "$GRADE" override mallory lab0 50 --by "Dr. Kim" --reason "copied" --out "$out"
    [ "$status" -eq 0 ]
    grep -q 'Set to 50 by Dr. Kim, .* UTC: copied' "$out"/feedback/lab0/*mallory*.txt
    [ "$(jq '.students[] | select(.name == "mallory").labs.lab0.points' "$out/gradebook.json")" = 50 ]
    "$GRADE" override mallory lab0 none --by "Dr. Kim" --reason "it was his own" --out "$out"
    [ "$(jq '.students[] | select(.name == "mallory").labs.lab0.points' "$out/gradebook.json")" = 100 ]
    [ "$(book "$out/book.db" 'SELECT count(*) FROM override')" -eq 2 ]
}

@test "merge takes a card's speed, and never lowers a mark" {
    copy
    card() { # a run of mallory's kernel as a card would measure it: SPEEDUP
        book "$out/book.db" "INSERT INTO run (source, lab, tool, seed, profile, report, text, ptx, ptx_hash, at, seconds)
            SELECT r.source, r.lab, r.tool, r.seed, 'h200, NVIDIA $1', json_set(r.report, '\$.speed.model', json('false'),
            '\$.speed.speedup', $1, '\$.speed.card', json('{\"end\": \"done\", \"ratios\": []}')), '', '', '', $1, 0
            FROM run AS r JOIN attempt AS a ON a.source = r.source AND a.lab = r.lab WHERE a.student = '?mallory'
            AND r.profile = 'h200'"
        accept
    }
    mark() { jq '.students[] | select(.name == "mallory").labs.lab0.points' "$out/gradebook.json"; }
    echo '{"labs": {"lab0": {"full": 1000}}}' >"$dir/rubric.json" # so that the simulator's speed is not worth all
    "$GRADE" rejudge --rubric "$dir/rubric.json" --out "$out"
    before=$(mark)
    card 1.5
    run "$GRADE" merge --out "$out"
    [ "$status" -eq 0 ]
    has "1 measurements taken, 0 marks changed"
    [ "$(mark)" = "$before" ]
    card 1000
    run "$GRADE" merge --out "$out"
    has "1 measurements taken, 1 marks changed"
    [ "$(mark)" = 100 ]
    run "$GRADE" merge --out "$out"
    [ "$(mark)" = 100 ]
}

@test "merge takes one kind of card for a lab, unless each has thresholds of its own" {
    copy
    measured() { # measured SOURCE PROFILE MINIMUM: mallory's kernel as if it were that source, on the simulator and on a card
        book "$out/book.db" "INSERT OR IGNORE INTO source SELECT '$1', bytes, text, '' FROM source LIMIT 1;
            INSERT INTO run (source, lab, tool, seed, profile, report, text, ptx, ptx_hash, at, seconds)
            SELECT '$1', r.lab, r.tool, r.seed, p.profile, json_set(r.report, '\$.speed.model', json(p.model),
            '\$.speed.minimum', $3), '', '', '', 1, 0 FROM run AS r JOIN attempt AS a ON a.source = r.source AND a.lab = r.lab,
            (SELECT 'h200' AS profile, 'true' AS model UNION SELECT 'h200, $2', 'false') AS p
            WHERE a.student = '?mallory' AND r.profile = 'h200'"
        accept
    }
    measured one "NVIDIA A" 5
    measured two "NVIDIA B" 6
    run "$GRADE" merge --out "$out"
    echo "$output"
    [ "$status" -eq 0 ]
    has "2 measurements taken"
    measured three "NVIDIA B" 5
    run "$GRADE" merge --out "$out"
    echo "$output"
    [ "$status" -eq 2 ]
    has "lab0 was measured on 'h200, NVIDIA A' and on 'h200, NVIDIA B' by the same thresholds"
    [ "$(book "$out/book.db" 'SELECT count(*) FROM measured')" -eq 2 ]
}

@test "report: how the class did, who is missing, who is alike" {
    copy
    mkdir -p "$dir/in/trudy"
    sed 's/\bi\b/where/g; s/^ *\/\/.*//' reference/lab0_coalescing.cu >"$dir/in/trudy/lab0_coalescing.cu"
    "$GRADE" batch "$dir/in" --lenient --out "$out" >/dev/null
    run "$GRADE" report --lab lab0 --out "$out"
    [ "$status" -eq 0 ]
    has "handed in"
    [[ $output =~ missing\ +Never\ Came ]]
    [[ $output =~ alike\ +100\ %\ +.*\?mallory,\ \?trudy ]]
    has "share of fingerprints in common, without the stub: a list to look at, never a verdict"
    [[ $output =~ solution\ +100\ %\ +\?mallory ]]
    run "$GRADE" report --lab lab0 --out "$out" --earlier "$CLASS/out/book.db"
    [[ $output =~ earlier\ +100\ % ]]
    grep -q '<h2>lab0' "$out/report.html"
    ! grep -q '<script' "$out/report.html"
}

# bats test_tags=rest
@test "archives and clones, as they come" {
    mkdir -p "$dir/zip" "$dir/clones/lab0-carol"
    cp reference/lab0_coalescing.cu "$dir/zip/doejane_11_21_lab0_coalescing.cu"
    (cd "$dir/zip" && zip -q "../canvas.zip" ./*)
    cd "$dir/clones/lab0-carol"
    git init -q . && git config user.email c@x && git config user.name c
    cp "$OLDPWD/student_template/lab0_coalescing.cu" . && git add . &&
        GIT_COMMITTER_DATE='2026-10-01T10:00Z' git commit -q --date '2026-10-01T10:00Z' -m early
    cp "$OLDPWD/reference/lab0_coalescing.cu" . &&
        GIT_COMMITTER_DATE='2026-10-03T10:00Z' git commit -q --date '2026-10-03T10:00Z' -am late
    # What a clone brings along must have nobody who runs it.
    printf '[core]\n\tfsmonitor = "touch %s/ran; false"\n\tsshCommand = touch %s/ran\n[filter "x"]\n\tsmudge = touch %s/ran\n' \
        "$dir" "$dir" "$dir" >>.git/config
    echo '*.cu filter=x' >.gitattributes
    cd "$OLDPWD"
    echo '{"labs": {"lab0": {"due": "2026-10-02T00:00Z"}}}' >"$dir/course.json"
    run "$GRADE" batch "$dir/canvas.zip" "$dir/clones" --course "$dir/course.json" --out "$out"
    [ "$status" -eq 0 ]
    [ ! -e "$dir/ran" ]
    [ "$(jq '.students[] | select(.key == "doejane-11").labs.lab0.points' "$out/gradebook.json")" = 100 ]
    [ "$(jq '.students[] | select(.key == "carol").labs.lab0.submitted' "$out/gradebook.json")" = '"2026-10-01 10:00:00 UTC"' ]
    [ "$(jq '.students[] | select(.key == "carol").labs.lab0.passed' "$out/gradebook.json")" = false ]
}

# bats test_tags=rest
@test "a full disk ends it with a sentence, and the book is whole" {
    command -v unshare >/dev/null && unshare -rm mount -t tmpfs none /mnt 2>/dev/null || skip "no tmpfs of its own can be mounted here"
    mkdir "$dir/small"
    run unshare -rm bash -c "mount -t tmpfs -o size=300k none '$dir/small' && mkdir '$dir/small/out' &&
        '$GRADE' batch '$CLASS/in/mallory' '$CLASS/in/s0001' --no-sandbox --out '$dir/small/out'; echo \"status \$?\"
        head -c 10000000 /dev/zero >'$dir/small/filler'
        cp '$CLASS'/in/s0002/*.cu '$dir/small/' 2>/dev/null
        '$GRADE' batch '$CLASS/in/s0003' '$CLASS/in/s0004' --no-sandbox --out '$dir/small/out'; echo \"status \$?\"
        rm '$dir/small/filler'; sqlite3 '$dir/small/out/book.db' 'PRAGMA integrity_check; SELECT count(*) FROM run'"
    echo "$output"
    has "no room is left for the gradebook"
    has "status 2"
    has "ok"
}

@test "mistakes of the operator are named" {
    run "$GRADE" batch /nonexistent --out "$out"
    [ "$status" -eq 2 ]
    has "cannot read '/nonexistent'"
    echo '{"labs": {"lab0": {"due": "soon"}}}' >"$dir/course.json"
    run "$GRADE" batch --course "$dir/course.json" --out "$out"
    [ "$status" -eq 2 ]
    has "course.json: line 1: labs.lab0.due: a time"
    run "$GRADE" rejudge --rubric kit --out "$dir/none"
    [ "$status" -eq 2 ]
    has "there is no gradebook"
    run "$GRADE" override a lab0 1 --book "$dir/course.json" --reason x
    [ "$status" -eq 2 ]
    has "is no gradebook"
}
