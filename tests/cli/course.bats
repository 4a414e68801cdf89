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
