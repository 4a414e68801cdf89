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

# bats test_tags=rest
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
    [ ! -e "$out" ] # neither a gradebook nor a key
    mkdir "$out"
    batch "$in" --roster "$dir/roster.csv" --dry-run
    [ -z "$(ls -A "$out")" ]
    batch "$in" --roster "$dir/roster.csv" --lenient
    sum=$(book .dump | sha256sum)
    batch "$in" --roster "$dir/roster.csv" --dry-run
    has "attempt 1, which is known"
    [ "$sum" = "$(book .dump | sha256sum)" ]
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

# bats test_tags=rest
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

@test "course.json: an extension for nobody, or one that ends too early, is refused with file and line" {
    put alice/lab0.cu
    printf 'name,id\nalice,s1\n' >"$dir/roster.csv"
    printf '{"labs": {"lab0": {"due": "2026-10-05"}},\n "extensions": {\n  "s2": {"lab0": "2d"}}}\n' >"$dir/course.json"
    batch "$in" --roster "$dir/roster.csv" --course "$dir/course.json"
    [ "$status" -eq 2 ]
    has "$dir/course.json: line 3: extensions.s2: nobody in the class has this name or number"
    sed -i 's/"s2": {"lab0": "2d"}/"s1": {"lab0": "2026-10-05T12:00"}/' "$dir/course.json"
    batch "$in" --roster "$dir/roster.csv" --course "$dir/course.json"
    [ "$status" -eq 2 ]
    has "$dir/course.json: line 3: extensions.s1.lab0: the extension must end after the due date, 2026-10-05 23:59:59 UTC"
    sed -i 's/T12:00/T23:59:59+00:00/; s/2026-10-05"}}/2026-10-04"}}/' "$dir/course.json"
    batch "$in" --roster "$dir/roster.csv" --course "$dir/course.json"
    [ "$status" -eq 0 ]
    sed -i 's/"s1"/"S9"/' "$dir/course.json" # a slip that is made later
    run "$GRADE" report --out "$out"
    [ "$status" -eq 0 ]
    has "'$dir/course.json' has changed"
    run "$GRADE" report --course "$dir/course.json" --out "$out"
    [ "$status" -eq 2 ]
    has "line 3: extensions.S9: nobody"
}

# bats test_tags=rest
@test "times in a zip are in the course's zone, not in that of the machine that grades" {
    put alice/lab0.cu
    put bob/lab0.cu
    TZ=UTC touch -d '2026-10-01 23:30' "$in"/*/lab0.cu
    (cd "$in" && TZ=UTC zip -qrX ../class.zip alice bob) # -X: times without a zone
    printf '{"zone": "Asia/Seoul", "late": {"percent": 10}, "labs": {"lab0": {"due": "2026-10-01"}}}\n' >"$dir/course.json"
    for zone in America/New_York Asia/Seoul; do
        rm -rf "$out"
        TZ=$zone batch "$dir/class.zip" --course "$dir/course.json"
        [ "$status" -eq 0 ]
        [ "$(book "SELECT DISTINCT datetime(submitted, 'unixepoch') FROM attempt")" = "2026-10-01 14:30:00" ]
        [[ $(cat "$out"/feedback/lab0/alice.txt) != *Late* ]]
    done
}

@test "no option is ignored: one that means nothing to a command is refused by name" {
    refuses() { # refuses MESSAGE ARGUMENTS...
        run "$GRADE" "${@:2}"
        echo "$output"
        [ "$status" -eq 2 ]
        has "$1"
        [ ! -e "$out" ]
    }
    put lab0.cu
    echo '{}' >"$dir/rubric.json"
    refuses "--rubric means nothing to './grade grade'" lab0 "$in/lab0.cu" --rubric "$dir/rubric.json"
    refuses "--roster means nothing to './grade grade'" lab0 "$in/lab0.cu" --roster /nonexistent
    refuses "--slurm means nothing to './grade grade'" lab0 "$in/lab0.cu" --slurm
    refuses "-o names the file of --lms" lab0 "$in/lab0.cu" -o "$dir/result"
    refuses "--lms means nothing to './grade batch'" batch "$in" --lms gradescope --out "$out"
    refuses "--partition means nothing without --slurm" batch "$in" --partition gpu --out "$out"
    refuses "--slurm means nothing with --dry-run" batch "$in" --slurm --dry-run --out "$out"
    refuses "--unoptimised means nothing to './grade hint'" hint lab0 --unoptimized
    refuses "there is no lab or command 'batsh': is 'batch' meant?" batsh "$in" --roster /nonexistent
    refuses "cannot read '/nonexistent'" batch "$in" --roster /nonexistent --out "$dir/other"
}

@test "a file's lab is the one whose kernels it defines, and another lab's name beside them is said" {
    kernels() { # kernels PATH NAME...: a source that does not build and defines these kernels
        mkdir -p "$(dirname "$in/$1")"
        printf '__global__ void %s(int) }}\n' "${@:2}" >"$in/$1"
    }
    kernels alice/lab7_transpose.cu block_sums scan_sums scan_blocks
    kernels bob/lab2_tiling.cu matmul # unfinished: the second kernel is missing
    kernels carol/work.cu matmul matmul_dynamic
    kernels dave/work.cu matmul
    kernels eve/lab3_syncthreads.cu block_sum
    kernels frank/lab6_streams.cu scale # a host lab's file may have kernels of its own
    batch "$in"
    [ "$status" -eq 0 ]
    has "for lab3, whose kernels it defines, and not for lab7, after which it is named: '$in/alice/lab7_transpose.cu'"
    [ "$(book "SELECT group_concat(student || ' ' || lab, ', ') FROM (SELECT * FROM attempt ORDER BY student)")" = \
        "alice lab3, bob lab2, carol lab2, dave lab1, eve lab3, frank lab6" ]
    rm -rf "$out"
    batch "$in" --lab lab7 # of alice nothing is asked for that she handed in
    [ "$status" -eq 2 ]
    [ "$(book "SELECT fate || ' ' || lab FROM input WHERE path LIKE '%alice%'")" = "other lab lab3" ]
}

@test "the newest roster decides: who left is marked, and is in no exported file" {
    put alice/lab0.cu
    put bob/lab0.cu
    printf 'name,id\nalice,s1\nbob,s2\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    [ -e "$out/feedback/lab0/s2.txt" ]
    printf 'name,id\nalice,s1\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 0 ] # his submission is no stranger's
    has "no longer on the roster, so in no exported file: 's2' (bob)"
    has "2 submissions, 0 of them new"
    jq -e '[.students[] | [.key, .enrolled, .left]] == [["s1", true, false], ["s2", false, true]]' "$out/gradebook.json"
    run grep -l 's2' "$out"/*.csv "$out"/feedback/lab0/*
    [ "$output" = "" ]
    [ ! -e "$out/feedback/lab0/s2.txt" ]
    printf 'name,id\nalice,s1\nbob,s2\n' >"$dir/roster.csv"
    batch --roster "$dir/roster.csv"
    [ "$(book "SELECT group_concat(enrolled) FROM student")" = "1,1" ]
    [ -e "$out/feedback/lab0/s2.txt" ]
}

# bats test_tags=rest
@test "sections: a folder around students is none, if the roster says so" {
    put 'section A/alice/lab0.cu'
    put 'section A/bob/old/lab0.cu'
    put 'section B/carol_lab0.cu'
    put 'section B/dave/lab0.cu'
    put 'section B/stranger/lab0.cu'
    put 'mallory/alice/lab0.cu' # a student's folder with another's name inside
    printf 'name,id\nalice,s1\nbob,s2\ncarol,s3\ndave,s4\nmallory,s5\n' >"$dir/roster.csv"
    marks() { book "SELECT group_concat(student || ' ' || replace(file, '$1/', ''), ', ') FROM (SELECT * FROM attempt ORDER BY student)"; }
    right="?stranger section B/stranger/lab0.cu, s1 section A/alice/lab0.cu, s2 section A/bob/old/lab0.cu, s3 section B/carol_lab0.cu, s4 section B/dave/lab0.cu, s5 mallory/alice/lab0.cu"
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    [ "$(marks "$in")" = "$right" ]
    rm -rf "$out"
    (cd "$in" && zip -qr ../all.zip .)
    batch "$dir/all.zip" --roster "$dir/roster.csv"
    [ "$(marks "$dir/all.zip")" = "$right" ]
    rm -rf "$out" "$in/mallory" "$in/section B/stranger" "$dir/all.zip"
    mkdir "$dir/top" && mv "$in"/* "$dir/top" && mv "$dir/top" "$in/"
    (cd "$in" && zip -qr ../all.zip top) # an archive with a top folder
    batch "$dir/all.zip" --roster "$dir/roster.csv"
    [ "$status" -eq 0 ]
    [ "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" = s1,s2,s3,s4 ]
}

@test "--students says which folders are students', and what lies elsewhere is listed" {
    put 'hw/section A/alice/exercise/lab0.cu'
    put 'hw/section A/bob.cu'
    put 'hw/lab0.cu'
    batch "$in" --students 'hw/*/*' --lab lab0
    [ "$status" -eq 2 ]
    [ "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" = "alice,bob" ]
    run "$GRADE" report --out "$out"
    has "'$in/hw/lab0.cu': not where --students says that students are"
}

@test "an alias file keeps what the instructor decides, and gives every member of a group the mark" {
    put 'Lee Min_1234_assignsubmission_file_/lab0.cu'
    put 'lab0-team-rocket/lab0.cu'
    echo text >"$in/Lee Min_1234_assignsubmission_file_/notes.txt"
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\n"Doe, Jane",1234,s1,jdoe,A\n"Lee, Min",1235,s2,mlee,A\n' >"$dir/roster.csv"
    marks() { book "SELECT group_concat(student || ' ' || source, ', ') FROM (SELECT student, substr(s.text, 11, 8) AS source FROM attempt JOIN source AS s ON hash = source ORDER BY 1, 2)"; }
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    run "$GRADE" override '?team-rocket' lab0 7 --reason "came to see me" --out "$out"
    [ "$status" -eq 0 ]
    printf 'alias,student\n?Lee Min-1234,s2\n' >"$dir/alias.csv"
    printf 'Team-Rocket,jdoe\nteam-rocket,"Lee, Min"\n' >>"$dir/alias.csv"
    batch --alias "$dir/alias.csv" # without the files: what is in the gradebook finds its students
    [ "$status" -eq 0 ]
    has "what 'Lee Min-1234' handed in is that of 's2' from now on"
    has "what 'team-rocket' handed in is that of 's1' from now on"
    right="$(marks)"
    [ "$(book "SELECT group_concat(student || ' ' || fate, ', ') FROM (SELECT student, fate FROM input ORDER BY 1, 2)")" = \
        "s1 taken, s2 no source, s2 taken, s2 taken" ]
    [ "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" = s1,s2,s2 ]
    [ "$(book "SELECT count(*) FROM student")" -eq 2 ]
    jq -e '[.students[].labs.lab0.points] == [7, 7]' "$out/gradebook.json"
    batch "$in" --roster "$dir/roster.csv" # the alias stays, without being named again
    [ "$status" -eq 0 ]
    has "0 of them new"
    [ "$(marks)" = "$right" ]
    [ "$("$GRADE" seal --out "$out")" = "0 rows do not bear the class's seal" ]
    printf 'group_name,login_id\nA,nobody\n' >"$dir/alias.csv"
    batch "$in" --alias "$dir/alias.csv"
    [ "$status" -eq 2 ]
    has "$dir/alias.csv: line 2: 'nobody' matches no student on the roster"
}

# bats test_tags=rest
@test "names that macOS took apart are those of the roster" {
    put "$(printf '\xe1\x84\x80\xe1\x85\xb5\xe1\x86\xb7\xe1\x84\x8e\xe1\x85\xa5\xe1\x86\xaf\xe1\x84\x89\xe1\x85\xae')/lab0.cu"
    put "$(printf 'Zoe\xcc\x88 Mu\xcc\x88ller')/lab0.cu"
    printf 'name,id\n김철수,s1\nZoë Müller,s2\n' >"$dir/roster.csv"
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 0 ]
    [ "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" = s1,s2 ]
}

@test "course systems get the right cells: scaled points, each assignment's own numbers, blank for what is not graded" {
    put 'Jane Doe_77_assignsubmission_file_/lab0.cu'
    put 'Jon Roe_78_assignsubmission_file_/lab0.cu'
    mkdir "$dir/second"
    cp -r "$in/Jon Roe_78_assignsubmission_file_" "$dir/second/Jon Roe_91_assignsubmission_file_"
    mv "$dir/second/Jon Roe_91_assignsubmission_file_/lab0.cu" "$dir/second/Jon Roe_91_assignsubmission_file_/lab7.cu"
    printf 'name,id\nJane Doe,s1\nJon Roe,s2\n' >"$dir/roster.csv"
    printf '{"labs": {"lab0": {"points": 10}}}' >"$dir/course.json"
    batch "$in" "$dir/second" --roster "$dir/roster.csv" --course "$dir/course.json"
    [ "$status" -eq 0 ]
    head -n 1 "$out/moodle-lab0.csv" | grep -q '^Identifier,"Full name","Email address",Status,Group,Grade,"Maximum Grade","Grade can be changed",'
    grep -q '^"Participant 77","Jane Doe"' "$out/moodle-lab0.csv"
    grep -q '^"Participant 78","Jon Roe"' "$out/moodle-lab0.csv"
    grep -q '^"Participant 91","Jon Roe"' "$out/moodle-lab7.csv"
    grep -q '^"","Jane Doe"' "$out/moodle-lab7.csv" # her number there is not known, and lab 0's is another student's
    run "$GRADE" override s1 lab0 85 --reason "by hand" --by me --out "$out"
    grep -q '^"Participant 77","Jane Doe",.*,8.50,10.00,' "$out/moodle-lab0.csv"
    grep -q '^"Jane Doe","s1",.*,8.50' "$out/gradebook-canvas.csv"
    grep -q '^"    Points Possible",.*,10.00' "$out/gradebook-canvas.csv"
    grep -q '^"lab0_coalescing",.*,"s1",.*,8.50,10.00' "$out/nbgrader.csv"
    run "$GRADE" override s1 lab0 185 --reason "a slip" --by me --out "$out"
    [ "$status" -eq 2 ]
    has "lab0 has 100 points: for 185 of them, say --force"
    run "$GRADE" override s1 lab0 105 --reason "a bonus" --by me --force --out "$out"
    [ "$status" -eq 0 ]
    grep -q '^"lab7_transpose",.*,"s1",.*,0.00,0.00,0.00,100.00' "$out/nbgrader.csv" # nothing was handed in
    sqlite3 "$out/book.db" "DELETE FROM measured; DELETE FROM score; DELETE FROM run"
    run "$GRADE" override s1 lab0 none --reason "undone" --by me --out "$out" # writes the files anew
    grep -q '^"lab0_coalescing",.*,"s2",.*,"","","",10.00' "$out/nbgrader.csv"
    run "$GRADE" override s1 lab7 50 --reason "by hand" --by me --out "$out"
    [ -e "$out/feedback/lab7/s1.txt" ]
    run "$GRADE" override s1 lab7 none --reason "undone" --by me --out "$out"
    [ ! -e "$out/feedback/lab7/s1.txt" ]
}

@test "each system's download as it comes: who handed in what, and when; the guide's table says so" {
    run tools/downloads check
    echo "$output"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

# bats test_tags=rest
@test "each dated file of one student is an attempt of its own" {
    put 'Lab 0_jdoe_attempt_2026-10-01-12-00-00_kernel.cu'
    put 'Lab 0_jdoe_attempt_2026-10-01-12-00-00_helper.cu' # of the same attempt
    put 'Lab 0_jdoe_attempt_2026-10-02-12-00-00_kernel.cu'
    put '1-2 - Ann Lee - Oct 1, 2026 1200 PM - lab0.cu'
    put '1-2 - Ann Lee - Oct 1, 2026 100 PM - lab0.cu'
    batch "$in"
    [ "$(book "SELECT group_concat(student || ' ' || time(submitted, 'unixepoch'), ', ') FROM (SELECT * FROM attempt ORDER BY 2, 5)")" = \
        "Ann Lee-1-2 12:00:00, Ann Lee-1-2 13:00:00, jdoe 12:00:00, jdoe 12:00:00" ]
    [ "$(book "SELECT count(*) FROM input WHERE fate = 'superseded'")" -eq 1 ]
}

@test "forget removes a person everywhere; --pseudonyms names nobody" {
    put alice/lab0.cu
    put bob/lab0.cu
    put bob/lab3.cu
    cp "$in/alice/lab0.cu" "$in/bob/lab0.cu" # handed in by both
    batch "$in"
    run "$GRADE" override bob lab0 5 --reason "because bobsecret" --by me --out "$out"
    run "$GRADE" report --pseudonyms --out "$out"
    [ "$status" -eq 0 ]
    hasnt alice
    hasnt bob
    ! grep -qE 'alice|bob' "$out/report.html"
    run "$GRADE" forget nobody --out "$out"
    [ "$status" -eq 2 ]
    has "'nobody' matches no student in this gradebook"
    run "$GRADE" forget bob --out "$out"
    [ "$status" -eq 0 ]
    has "'bob' is forgotten: attempts, marks, feedback and 1 sources"
    ! grep -rqa 'bob' "$out" # not even in free pages of the file
    [ -e "$out/feedback/lab0/alice.txt" ]
    [ "$(book "SELECT group_concat(student), (SELECT count(*) FROM run) FROM attempt")" = "alice|1" ]
    run "$GRADE" report --out "$out"
    has "1  persons were forgotten"
    [ "$("$GRADE" seal --out "$out")" = "0 rows do not bear the class's seal" ]
}
