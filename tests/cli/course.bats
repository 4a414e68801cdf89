#!/usr/bin/env bats
# What an instructor meets with a course system: when something was handed in, what goes back to the students, and which
# mark counts. Nothing is graded here that builds, so that the tests are quick.

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
# A class of Moodle, as its download is unpacked: all files have the time of the download.
moodle() {
    put 'Jane Doe_700123_assignsubmission_file/lab0.cu'
    put 'Jon Roe_700124_assignsubmission_file/lab0.cu'
    put 'Ann Lee_700125_assignsubmission_file/lab0.cu'
    find "$in" -type f -exec touch -d '2026-11-27 17:34 UTC' {} +
    {
        echo 'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"'
        echo '"Participant 700123","Jane Doe",jane@x.org,"Submitted for grading",,100.00,Yes,"Thursday, 1 October 2026, 11:58 PM",-,'
        echo '"Participant 700124","Jon Roe",jon@x.org,"Submitted for grading",,100.00,Yes,"Friday, October 2, 2026, 5:34 PM",-,'
        echo '"Participant 700125","Ann Lee",ann@x.org,"Submitted for grading",,100.00,Yes,"2026년 10월 1일(목) 오후 5:34",-,'
        echo '"Participant 700126","Bo Ek",bo@x.org,"No submission",,100.00,Yes,-,-,'
    } >"$dir/worksheet.csv"
    printf 'name,id\nJane Doe,s1\nJon Roe,s2\nAnn Lee,s3\n' >"$dir/roster.csv"
    echo '{"zone": "Asia/Seoul", "late": {"percent": 10}, "labs": {"lab0": {"due": "2026-10-01"}}}' >"$dir/course.json"
}
times() { book "SELECT group_concat(t, ' ') FROM (SELECT clock || '@' || datetime(submitted, 'unixepoch', '+9 hours') AS t FROM attempt ORDER BY student)"; }

@test "Moodle's files have the time of the download: nobody is late by it, and the batch says so" {
    moodle
    batch "$in" --roster "$dir/roster.csv" --course "$dir/course.json" --dry-run
    [ "$status" -eq 0 ]
    has "Moodle's download has no times of hand-in: nobody is counted late (3 submissions); give Moodle's grading worksheet by --roster"
    has "lab0: taken: a new attempt; the time of hand-in is unknown: not counted late"
    (cd "$in" && zip -qr ../moodle.zip .)
    batch "$dir/moodle.zip" --roster "$dir/roster.csv" --course "$dir/course.json"
    [ "$status" -eq 0 ]
    has "Moodle's download has no times of hand-in: nobody is counted late"
    [ "$(book "SELECT count(*) FROM attempt WHERE submitted = 0 AND clock = 0")" -eq 3 ]
    [ "$(book "SELECT DISTINCT why FROM input")" = "the time of hand-in is unknown: not counted late" ]
    run cat "$out/feedback/lab0/s1.txt"
    has "When it was handed in is not known, so nothing is off for lateness."
    hasnt "Late by"
}

@test "Moodle's grading worksheet, as the roster, has the times of hand-in" {
    moodle
    batch "$in" --roster "$dir/worksheet.csv" --course "$dir/course.json"
    [ "$status" -eq 0 ]
    hasnt "no times of hand-in"
    [ "$(times)" = "3@2026-10-01 17:34:00 3@2026-10-01 23:58:00 3@2026-10-02 17:34:00" ] # ann, jane, jon
    run cat "$out/feedback/lab0/jon@x.org.txt"
    has "Handed in 2026-10-02 17:34:00 +0900."
    has "Late by 17 h 35 min"
    ! grep -q "Late by" "$out/feedback/lab0/jane@x.org.txt"
    sed 's/(submission)/(hand-in)/' "$dir/worksheet.csv" >"$dir/other.csv"
    batch "$in" --roster "$dir/other.csv" --dry-run
    has "$dir/other.csv: no time of hand-in in a column 'Last modified (submission)': columns understood: 'Identifier'"
    sed -i 's/Thursday, 1 October 2026, 11:58 PM/the first of Never/' "$dir/worksheet.csv"
    batch "$in" --roster "$dir/worksheet.csv" --course "$dir/course.json"
    has "a time of hand-in has a form that is not known: 'the first of Never'"
    [[ $(times) == *"3@2026-10-01 23:58:00"* ]] # what a worksheet told stays
}

@test "times that an earlier version took from Moodle's files stay, and are named, until a worksheet replaces them" {
    moodle
    batch "$in" --roster "$dir/roster.csv"
    for table in evidence attempt; do
        sqlite3 "$out/book.db" "UPDATE $table SET clock = 1, submitted = strftime('%s', '2026-11-27 17:34:00')"
    done
    "$GRADE" seal accept --out "$out"
    batch "$in" --roster "$dir/roster.csv" --course "$dir/course.json"
    has "3 submissions of Moodle's download keep the times of its files"
    has "lab0: 3 of 3 submissions are late by the times of their files, which lie within 10 minutes, from 2026-11-28 02:34:00 +0900 on"
    [ "$(times)" = "1@2026-11-28 02:34:00 1@2026-11-28 02:34:00 1@2026-11-28 02:34:00" ]
    # The same keys as before, so that the attempts stay theirs.
    sed -i 's/jane@x.org/s1/; s/jon@x.org/s2/; s/ann@x.org/s3/; s/Email address/ID number/' "$dir/worksheet.csv"
    batch "$in" --roster "$dir/worksheet.csv"
    has "lab0 attempt 1 of 's"
    has "by the course system, not 2026-11-28 02:34:00 +0900 by the file"
    hasnt "keep the times of its files"
    [ "$(times)" = "3@2026-10-01 23:58:00 3@2026-10-02 17:34:00 3@2026-10-01 17:34:00" ]
}

@test "nearly all of a class late within minutes, by the times of files, is no accident: the batch says so" {
    for who in a b c d; do put $who/lab0.cu; done
    put e/lab0.cu
    touch -d '2026-11-27 17:30 UTC' "$in"/[abcd]/lab0.cu
    touch -d '2026-11-27 17:34 UTC' "$in"/e/lab0.cu
    echo '{"labs": {"lab0": {"due": "2026-10-01"}}}' >"$dir/course.json"
    batch "$in" --course "$dir/course.json"
    [ "$status" -eq 0 ]
    has "lab0: 5 of 5 submissions are late by the times of their files, which lie within 10 minutes, from 2026-11-27 17:30:00 UTC on"
    touch -d '2026-09-20 17:30 UTC' "$in"/[ab]/lab0.cu
    batch "$in" --course "$dir/course.json"
    hasnt "are late by the times"
}

@test "Sakai's and PrairieLearn's files have the time of the download, too" {
    put 'Lab 0/Doe, Jane(jdoe)/Submission attachment(s)/kernel.cu'
    put 'Lab 0/Roe, Jon(jroe)/Submission attachment(s)/kernel.cu'
    mkdir "$dir/Lab0"
    cp "$in/Lab 0/Doe, Jane(jdoe)/Submission attachment(s)/kernel.cu" "$dir/Lab0/jdoe@x.org_1_lab0_1_2_45678_kernel.cu"
    cp "$in/Lab 0/Roe, Jon(jroe)/Submission attachment(s)/kernel.cu" "$dir/Lab0/jroe@x.org_1_lab0_1_2_45679_kernel.cu"
    batch "$in" "$dir/Lab0" --lab lab0
    has "Sakai's download has no times of hand-in: nobody is counted late (2 submissions)"
    has "PrairieLearn's download has no times of hand-in: nobody is counted late (2 submissions)"
}

@test "reports go back under the names of the download: Canvas's file, Moodle's folder, the same bytes each time" {
    put 'canvas/doejane_LATE_1234_5678_lab0.cu'
    put 'canvas/roejon_1235_5679_lab0-1.cu'
    put 'moodle/Ann Lee_700125_assignsubmission_file_/lab0.cu'
    put 'moodle/Zoë Ek_700126_assignsubmission_file_/src/lab0.cu'
    put 'moodle/Strange One_700127_assignsubmission_file_/lab0.cu'
    put plain/bo/lab0.cu
    mkdir "$dir/hw" && echo 'int lee; }}' >"$dir/hw/lab0.cu"
    (cd "$dir/hw" && zip -q "$in/canvas/leekim_1236_5680_hw.zip" lab0.cu)
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\n"Doe, Jane",1234,s1,j,A\n"Roe, Jon",1235,s2,r,A\n"Lee, Kim",1236,s3,k,A\n"Lee, Ann",1237,s4,a,A\n"Ek, Zoë",1238,s5,z,A\n"Ox, Bo",1239,s6,bo,A\n' >"$dir/roster.csv"
    batch "$in/canvas" "$in/moodle" "$in/plain" --roster "$dir/roster.csv" --lenient
    [ "$status" -eq 0 ]
    run unzip -Z1 "$out/feedback-canvas-lab0.zip"
    [ "$(sort <<<"$output" | xargs)" = "doejane_LATE_1234_5678_lab0.cu leekim_1236_5680_hw.zip roejon_1235_5679_lab0-1.cu" ]
    diff <(unzip -p "$out/feedback-canvas-lab0.zip" 'doejane*') "$out/feedback/lab0/s1.txt"
    unzip -p "$out/feedback-canvas-lab0.zip" 'leekim*' >"$dir/inner.zip"
    diff <(unzip -p "$dir/inner.zip" lab0/lab0-report.txt) "$out/feedback/lab0/s3.txt"
    run python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), sorted(z.namelist()))' "$out/feedback-moodle-lab0.zip"
    [ "$output" = "None ['Ann Lee_700125_assignsubmission_file/lab0-report.html', 'Ann Lee_700125_assignsubmission_file/lab0-report.txt', 'Zoë Ek_700126_assignsubmission_file/lab0-report.html', 'Zoë Ek_700126_assignsubmission_file/lab0-report.txt']" ]
    [ "$(stat -c %a "$out/feedback-moodle-lab0.zip")" = 600 ]
    sum=$(cat "$out"/feedback-*.zip | sha256sum)
    batch
    [ "$sum" = "$(cat "$out"/feedback-*.zip | sha256sum)" ]
    grep '"Participant 700125"' "$out/moodle-lab0.csv" | grep -q '"0 of 100 points<br>.*Next: '
    run "$GRADE" forget s5 --out "$out"
    [ "$status" -eq 0 ]
    run unzip -Z1 "$out/feedback-moodle-lab0.zip"
    hasnt Zo
    has "Ann Lee"
}

@test "a file of several students, as a group's, goes back to nobody by itself" {
    put 'team7_1234_5678_lab0.cu'
    put 'roejon_1235_5679_lab0.cu'
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\n"Doe, Jane",1234,s1,j,A\n"Roe, Jon",1235,s2,r,A\n"Lee, Kim",1236,s3,k,A\n' >"$dir/roster.csv"
    printf 'alias,student\nteam7,s1\nteam7,s3\n' >"$dir/alias.csv"
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    has "feedback-canvas-lab0.zip: 1 files are several students', so their reports are not in it, but in '$out/feedback/lab0'"
    run unzip -Z1 "$out/feedback-canvas-lab0.zip"
    [ "$output" = roejon_1235_5679_lab0.cu ]
}

@test "report STUDENT shows the mark that counts, who set it, and what the rules give" {
    put s1/lab0.cu
    put s2/lab0.cu
    touch -d '2026-10-03 12:00 UTC' "$in"/*/lab0.cu
    printf '{"late": {"percent": 10}, "labs": {"lab0": {"due": "2026-10-02", "points": 10}}}' >"$dir/course.json"
    batch "$in" --course "$dir/course.json"
    run "$GRADE" override s1 lab0 45 --reason "by hand" --by me --out "$out"
    [ "$status" -eq 0 ]
    has "s1, lab0: 45 of 100 points, set by me: 4.50 of 10 in the course system's gradebook (was 0.00)"
    # What a kernel that builds would have: 45 points, of which 10 are off.
    sqlite3 "$out/book.db" "UPDATE score SET total = 45"
    "$GRADE" seal accept --out "$out"
    run "$GRADE" override s1 lab0 60 --reason "server was down" --by me --out "$out"
    has "s1, lab0: 60 of 100 points, set by me: 6.00 of 10 in the course system's gradebook (was 4.50)"
    run "$GRADE" report s1 --out "$out"
    [ "$status" -eq 0 ]
    [[ ${lines[1]} == "lab0 attempt "*": 45 of 100 points, 2026-10-03 12:00:00 UTC, '$in/s1/lab0.cu'" ]]
    [ "${lines[2]}" = "lab0 mark: 60 of 100 (6.00 of 10), set by me $(date -u +%F): \"server was down\"; by the rules 35 = 45 − 10 late" ]
    run cat "$out/feedback/lab0/s1.txt"
    has "Late by 12 h 1 min: 10 points off"
    has "This mark stands, whatever the lateness."
    run "$GRADE" override s1 lab0 none --reason "undone" --by me --out "$out"
    has "s1, lab0: the rules' mark counts again: 3.50 of 10 in the course system's gradebook (was 6.00)"
    run "$GRADE" report s2 --out "$out"
    has "lab0 mark: 35 of 100 (3.50 of 10) = 45 − 10 late"
}

@test "a command that finds no gradebook, or nothing in it, names it and the option for another" {
    run "$GRADE" report --out "$out"
    [ "$status" -eq 2 ]
    has "there is no gradebook '$out/book.db': "
    has "--out names the folder of another, --book its file"
    batch
    run "$GRADE" report --out "$out"
    [ "$status" -eq 0 ]
    has "'$out/book.db': nobody has handed anything in; --out names the folder of another gradebook"
    run "$GRADE" override s1 lab0 5 --reason x --out "$out"
    [ "$status" -eq 2 ]
    has "'s1' matches no student in this gradebook, '$out/book.db'; --out names the folder of another"
}

@test "the last lines count submissions and sources, and name the files to import; a system that knows nobody gets none" {
    put alice/lab0.cu
    put bob/lab0.cu
    put carol/lab0.cu
    cp "$in/alice/lab0.cu" "$in/bob/lab0.cu"
    batch "$in"
    has "3 submissions, 3 of them new"
    has "3 graded (2 different sources); gradebooks and feedback are in '$out'"
    [ "$(cd "$out" && echo *.csv *.zip)" = "nbgrader.csv *.zip" ]
    hasnt "import gradebook-canvas.csv"
    put 'm/Dan Ek_700126_assignsubmission_file/lab0.cu'
    put 'm/Eve Ek_700127_assignsubmission_file/lab0.cu'
    batch "$in/m"
    has "2 graded; gradebooks"
    has "Moodle: upload as grading worksheets: moodle-lab0.csv"
    has "Moodle: the reports go back by feedback-moodle-lab0.zip"
    [ ! -e "$out/gradebook-canvas.csv" ]
    printf 'Student,ID,SIS User ID,SIS Login ID,Section,First lab (77)\n"Ek, Dan",1234,s1,d,A,\n"Ek, Eve",1235,s2,e,A,\n' >"$dir/canvas.csv"
    batch "$in/m" --roster "$dir/canvas.csv" --lenient
    has "Canvas: import gradebook-canvas.csv"
    has "lab0: no column of '$dir/canvas.csv' has its name: set \"canvas\" in course.json to the column's title"
    echo '{"labs": {"lab0": {"canvas": "First lab (77)"}}}' >"$dir/course.json"
    batch "$in/m" --roster "$dir/canvas.csv" --course "$dir/course.json" --lenient
    hasnt "no column of"
    run "$GRADE" report --out "$out"
    [[ $output =~ marks\ +lab0 ]]
    [[ $output =~ s1\ +0 ]]
    [[ $output =~ s2\ +0 ]]
}

@test "a worksheet whose keys are others than the class list's gives its times, and leaves the list" {
    moodle
    batch "$in" --roster "$dir/roster.csv" --course "$dir/course.json"
    batch "$in" --roster "$dir/worksheet.csv"
    [ "$status" -eq 0 ]
    has "$dir/worksheet.csv: only its times of hand-in are taken; the class list stays, which has other keys"
    hasnt "no longer on the roster"
    [ "$(book "SELECT group_concat(key, ' ') FROM (SELECT key FROM student ORDER BY key)")" = "s1 s2 s3" ]
    [ "$(times)" = "3@2026-10-01 23:58:00 3@2026-10-02 17:34:00 3@2026-10-01 17:34:00" ]
}

@test "an attempt without a time comes behind those that were imported before it" {
    moodle
    sed -i 's/"late"/"attempts": "last", "late"/' "$dir/course.json"
    batch "$in" --roster "$dir/worksheet.csv" --course "$dir/course.json"
    echo 'int again; }}' >"$in/Jane Doe_700123_assignsubmission_file/lab0.cu"
    batch "$in"
    has "Moodle's download has no times of hand-in: nobody is counted late (1 submissions)"
    [ "$(jq '.students[] | select(.key == "jane@x.org") | .labs.lab0.attempt' "$out/gradebook.json")" = \
        "$(book "SELECT max(id) FROM attempt")" ]
}
