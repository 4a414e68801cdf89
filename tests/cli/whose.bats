#!/usr/bin/env bats
# Whose work is it? Names, numbers, groups, versions and forms of downloads, each as an instructor met it. Nothing is
# graded here that builds, so that the tests are quick.

setup() {
    dir=$BATS_TEST_TMPDIR
    out=$dir/out
    in=$dir/in
    mkdir "$in"
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
hasnt() { [[ $output != *"$1"* ]] || { echo "'$1' in: $output"; return 1; }; }
book() { sqlite3 "$out/book.db" "$1"; }
put() { # put PATH...: sources that do not build
    for path in "$@"; do
        mkdir -p "$(dirname "$in/$path")"
        echo "int x; // $path }}" >"$in/$path"
    done
}
batch() { run "$GRADE" batch "$@" --out "$out" --engine sim; echo "$output"; }
roster() { printf '%s\n' "$@" >"$dir/roster.csv"; }
alias_file() { printf '%s\n' alias,student "$@" >"$dir/alias.csv"; }
# whose: each attempt's student and the path below the folder of the download
whose() { book "SELECT group_concat(student || ' ' || replace(file, '$in/', ''), ', ') FROM (SELECT * FROM attempt ORDER BY student, id)"; }
is() { [ "$1" = "$2" ] || { echo "got      $1"; echo "expected $2"; return 1; }; }

# ---------------------------------------------------------------- two of one name
@test "two students of one name: the message names both keys, and the alias that it suggests works" {
    roster name,id 'Minjun Kim,1001' 'Minjun Kim,1002' 'Ann Lee,1003'
    put 'Minjun Kim_1234_assignsubmission_file_/lab0.cu' 'Minjun Kim_1235_assignsubmission_file_/lab0.cu'
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "2 students are called 'Minjun Kim': 1001, 1002; say in --alias which of them 'Minjun Kim_1234' is"
    right="1001 Minjun Kim_1234_assignsubmission_file_/lab0.cu, 1002 Minjun Kim_1235_assignsubmission_file_/lab0.cu"
    for form in 'Minjun Kim_1234,1001;Minjun Kim_1235,1002' '?Minjun Kim-1234,1001;?Minjun Kim-1235,1002' \
        'Minjun Kim_1234_assignsubmission_file_,1001;Minjun Kim_1235_assignsubmission_file_,1002' '1234,1001;1235,1002'; do
        alias_file "${form%;*}" "${form#*;}"
        rm -rf "$out"
        batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
        [ "$status" -eq 0 ]
        is "$(whose)" "$right"
        rm -rf "$out" # what is in the gradebook finds its students, too
        batch "$in" --roster "$dir/roster.csv"
        batch --alias "$dir/alias.csv"
        [ "$status" -eq 0 ]
        hasnt "match nothing"
        is "$(whose)" "$right"
    done
}

# bats test_tags=rest
@test "Gradescope: two of one name, known by their numbers or addresses there" {
    roster name,id 'Minjun Kim,1001' 'Minjun Kim,1002'
    put export/submission_1/lab0.cu export/submission_2/lab0.cu
    list() { printf '%s\n' --- submission_1: '  :submitters:' '  - :name: Minjun Kim' "    :$1: $2" submission_2: '  :submitters:' '  - :name: Minjun Kim' "    :$1: $3" >"$in/export/submission_metadata.yml"; }
    for of in 'sid 71 72 71 72' 'email a@x.org b@x.org Minjun\ Kim_a@x.org b@x.org'; do
        eval "set -- $of"
        list "$1" "$2" "$3"
        rm -rf "$out"
        batch "$in" --roster "$dir/roster.csv"
        [ "$status" -eq 2 ]
        has "2 students are called 'Minjun Kim': 1001, 1002; say in --alias which of them '$4' is"
        [ "$(book "SELECT count(DISTINCT student) FROM attempt")" -eq 2 ]
        alias_file 'Minjun Kim,1001' # gives neither to anybody
        batch "$in" --alias "$dir/alias.csv"
        [ "$status" -eq 2 ]
        alias_file "$4,1001" "$5,1002"
        batch --alias "$dir/alias.csv"
        [ "$status" -eq 0 ]
        is "$(whose)" "1001 export/submission_1/lab0.cu, 1002 export/submission_2/lab0.cu"
    done
}

@test "an alias that is the name of two students decides nothing for a hand-in that has a number" {
    roster name,id 'Minjun Kim,1001' 'Minjun Kim,1002'
    put 'Minjun Kim_1234_assignsubmission_file_/lab0.cu' 'Minjun Kim_1235_assignsubmission_file_/lab0.cu'
    alias_file 'Minjun Kim,1001'
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    [ "$status" -eq 2 ]
    has "the alias 'Minjun Kim' fits several authors of this download, so none gets it: in --alias, call this one 'Minjun Kim_1234'"
    [ "$(book "SELECT count(*) FROM attempt WHERE student NOT LIKE '?%'")" -eq 0 ]
    batch --alias "$dir/alias.csv"
    [ "$status" -eq 2 ]
    [ "$(book "SELECT count(*) FROM attempt WHERE student NOT LIKE '?%'")" -eq 0 ]
    rm -rf "$out"
    put 'Minjun Kim/lab0.cu' # without a number, the name is all that there is
    batch "$in/Minjun Kim" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    [ "$status" -eq 0 ]
    is "$(book "SELECT student FROM attempt WHERE student NOT LIKE '?%'")" 1001
}

@test "two hand-ins of one misspelt name: an alias without a number gives neither to anybody" {
    roster name,id 'Jane Doe,1001' 'Ann Lee,1002'
    put 'Jaen Doe_1234_assignsubmission_file_/lab0.cu' 'Jaen Doe_1235_assignsubmission_file_/lab0.cu'
    alias_file 'Jaen Doe,1001'
    echo text >"$in/Jaen Doe_1234_assignsubmission_file_/notes.txt"
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    [ "$status" -eq 2 ]
    is "$(book "SELECT DISTINCT student FROM input WHERE path LIKE '%_1234_%'")" '?Jaen Doe-1234'
    has "the alias 'Jaen Doe' fits several authors of this download"
    [ "$(book "SELECT count(*) FROM attempt WHERE student = '1001'")" -eq 0 ]
    batch --alias "$dir/alias.csv"
    [ "$status" -eq 2 ]
    has "the alias 'Jaen Doe' fits 'Jaen Doe-1234' and 'Jaen Doe-1235', so it decides nothing: add the number"
    [ "$(book "SELECT count(*) FROM attempt WHERE student = '1001'")" -eq 0 ]
    rm -rf "$out" "$in"/*1235*
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    put 'x/y/Jaen Doe_77_assignsubmission_file_/lab7.cu' # Moodle's number is another one in each assignment
    batch "$in/x" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    [ "$status" -eq 0 ]
    is "$(book "SELECT group_concat(lab) FROM (SELECT DISTINCT lab FROM attempt WHERE student = '1001' ORDER BY 1)")" lab0,lab7
}

@test "Brightspace and Sakai: students of one name are told apart by the system's numbers and logins" {
    roster name,id 'Minjun Kim,1001' 'Minjun Kim,1002'
    put '12345-67890 - Minjun Kim - Oct 1, 2026 1159 PM/lab0.cu' '12346-67890 - Minjun Kim - Oct 1, 2026 1159 PM/lab0.cu'
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "say in --alias which of them 'Minjun Kim_12345-67890' is"
    [ "$(book "SELECT count(DISTINCT student) FROM attempt")" -eq 2 ]
    for form in 'Minjun Kim_12345-67890,1001;Minjun Kim_12346-67890,1002' '12345,1001;12346,1002' '12345-67890,1001;12346-67890,1002' \
        '"12345-67890 - Minjun Kim - Oct 1, 2026 1159 PM",1001;"12346-67890 - Minjun Kim - Oct 1, 2026 1159 PM",1002'; do
        alias_file "${form%;*}" "${form#*;}"
        batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
        [ "$status" -eq 0 ]
        is "$(whose)" "1001 12345-67890 - Minjun Kim - Oct 1, 2026 1159 PM/lab0.cu, 1002 12346-67890 - Minjun Kim - Oct 1, 2026 1159 PM/lab0.cu"
        rm -rf "$out"
    done
    alias_file 67890,1001 # the assignment's number
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    [ "$status" -eq 2 ]
    has "the alias '67890' fits several authors"
    rm -rf "$out" "$in"/*
    put 'Kim, Minjun(mkim)/Submission attachment(s)/lab0.cu' 'Kim, Minjun(mkim2)/Submission attachment(s)/lab0.cu'
    batch "$in" --roster "$dir/roster.csv"
    has "say in --alias which of them 'Kim, Minjun_mkim2' is"
    alias_file 'mkim,1001' '"Kim, Minjun_mkim2",1002'
    batch --alias "$dir/alias.csv"
    [ "$status" -eq 0 ]
    is "$(book "SELECT group_concat(student) FROM attempt WHERE student NOT LIKE '?%'")" 1001,1002
}

# bats test_tags=rest
@test "an alias for two of one name says which numbers there are; one that matches nothing is said" {
    roster name,id 'Minjun Kim,1001' 'Minjun Kim,1002'
    put 'x_1234_assignsubmission_file_/lab0.cu'
    alias_file 'x,Minjun Kim'
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    [ "$status" -eq 2 ]
    has "$dir/alias.csv: line 2: 2 students are called 'Minjun Kim': 1001, 1002; name one of them by the number"
    alias_file 'x,1001' 'y,1002'
    batch "$in" --roster "$dir/roster.csv" --alias "$dir/alias.csv"
    [ "$status" -eq 0 ]
    has "aliases of '$dir/alias.csv' that match nothing here: 'y' (1)"
    run "$GRADE" override 'Minjun Kim' lab0 7 --reason x --out "$out"
    [ "$status" -eq 2 ]
    has "'Minjun Kim' means 2 students: say the key of one of them, '1001', '1002'"
}

# ---------------------------------------------------------------- groups
@test "a group's file gives every member the mark, with Canvas's export of groups as it comes" {
    roster Student,ID,'SIS User ID','SIS Login ID',Section '"Doe, Jane",1003,s3,jdoe,A' '"Roe, Jon",1004,s4,jroe,A'
    printf '%s\n' name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id \
        'Jane Doe,1003,s3,jdoe@x.org,A,Team One,9,' 'Jon Roe,1004,s4,jroe@x.org,A,Team One,9,' 'Ann Lee,1005,s5,alee,A,,,' >"$dir/groups.csv"
    for file in teamone_1003_555_lab0.cu teamone_77_555_lab0.cu teamone_LATE_77_555_lab0.cu; do
        rm -rf "$out" "$in"/*
        put "$file"
        batch "$in" --roster "$dir/roster.csv" --alias "$dir/groups.csv"
        [ "$status" -eq 0 ]
        is "$(whose)" "s3 $file, s4 $file"
    done
    rm -rf "$out" # the same alias, afterwards
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    batch --alias "$dir/groups.csv"
    [ "$status" -eq 0 ]
    is "$(book "SELECT group_concat(student) FROM (SELECT * FROM attempt ORDER BY 2)")" s3,s4
}

@test "a number whose name is another's is said: it may be a group's file" {
    roster Student,ID,'SIS User ID','SIS Login ID',Section '"Doe, Jane",1003,s3,jdoe,A' '"Roe, Jon",1004,s4,jroe,A'
    put teamone_1003_555_lab0.cu
    batch "$in" --roster "$dir/roster.csv"
    has "only 's3' gets '$in/teamone_1003_555_lab0.cu', by the number: the name 'teamone' is another; if it is a group's, say its members in --alias"
    rm -rf "$out" "$in"/*
    put doejane_1003_555_lab0.cu
    batch "$in" --roster "$dir/roster.csv"
    hasnt "only 's3'"
}

# ---------------------------------------------------------------- rosters
@test "a roster as it comes: Korean headers, PrairieLearn's gradebook, sep=, vertical bars, UTF-16 without a mark" {
    reads() { # reads ENCODING KEY LINE...: the roster in LINEs makes the folder's author the student KEY
        printf '%s\r\n' "${@:3}" | iconv -f UTF-8 -t "$1" >"$dir/roster.csv"
        rm -rf "$out"
        batch "$in" --roster "$dir/roster.csv"
        [ "$status" -eq 0 ] && is "$(book "SELECT student FROM attempt")" "$2"
    }
    put 김민준/lab0.cu
    for encoding in UTF-8 CP949; do
        reads "$encoding" 2001 이름,학번,이메일,학과 김민준,2001,kim@x.kr,컴퓨터 이서연,2002,lee@x.kr,컴퓨터
        reads "$encoding" 2001 '순번, 성명 ,학번' 1,김민준,2001 2,이서연,2002
    done
    reads UTF-16LE 2001 이름,학번 김민준,2001
    reads UTF-16BE 2001 이름,학번 김민준,2001
    reads UTF-8 2001 'sep=;' '이름;학번' '김민준;2001'
    reads UTF-8 2001 '이름|학번' '김민준|2001'
    reads UTF-8 31 UID,UIN,Username,Name,Role,'Lab 3' kim@x.kr,31,kim,김민준,Student,0
}

# bats test_tags=rest
@test "a roster that cannot be used says why: a workbook, no known column, a number in two rows" {
    put alice/lab0.cu
    printf 'PK\3\4 xl/workbook.xml' >"$dir/roster.xlsx"
    batch "$in" --roster "$dir/roster.xlsx"
    [ "$status" -eq 2 ]
    has "$dir/roster.xlsx: this is an Excel workbook: save it as CSV, and name that file"
    roster foo,bar 1,2
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "its first line names no column that is known (name, id, email, login, 이름, 학번 …); it has: 'foo', 'bar'"
    roster id,login,name 1,alice,Alice 2,bob,Bob 1,carol,Carol
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "$dir/roster.csv: lines 2 and 4: '1' stands in both"
    roster Name,Mail,'Student No' Alice,a@x.org,1
    batch "$in" --roster "$dir/roster.csv" # its rows match nothing
    [ "$status" -eq 0 ]
    rm -rf "$out"
    roster Name,Post,'Student No' Albert,a@x.org,1
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "$dir/roster.csv: columns understood: 'Name'; ignored: 'Post', 'Student No'"
}

# ---------------------------------------------------------------- who is outermost
@test "a class whose folder has a student's name is nobody's until an option decides" {
    roster name,login,id 'Ann Smith,asmith,1' 'Jane Lee,jlee,2'
    in=$in/asmith
    put jlee/lab0.cu asmith/lab0.cu
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "'$in' is the name of a student, but 'jlee' in it may be another's, so nothing is taken: say --student if all of it is one student's, or --students '*' if it is a class"
    [ "$(book "SELECT count(*) FROM attempt")" -eq 0 ]
    [ "$(book "SELECT group_concat(DISTINCT fate) FROM input")" = unclear ]
    batch "$in" --students '*'
    [ "$status" -eq 0 ]
    is "$(whose)" "asmith asmith/lab0.cu, jlee jlee/lab0.cu"
    rm -rf "$out"
    batch "$in" --roster "$dir/roster.csv" --student
    [ "$status" -eq 0 ]
    is "$(book "SELECT group_concat(student) FROM attempt")" asmith
    (cd "$in" && zip -qr "$dir/asmith.zip" .)
    for path in "$dir/asmith.zip" "$dir/asmith_lab0.zip"; do
        [ -e "$path" ] || mv "$dir/asmith.zip" "$path"
        rm -rf "$out"
        batch "$path" --roster "$dir/roster.csv"
        [ "$status" -eq 2 ]
        has "'$path' is the name of a student, but 'jlee' in it"
    done
    run "$GRADE" batch "$in" --student --students '*' --out "$out"
    has "--student means nothing with --students"
}

@test "what has a student's name and holds one student's work is this student's" {
    roster name,login,id 'Ann Smith,asmith,1' 'Jane Lee,jlee,2'
    one() { # one NAME PATH...: a folder and an archive that hold these paths are asmith's
        rm -rf "$out" "$dir/one" "$dir/$1".zip
        in=$dir/one/$1
        put "${@:2}"
        (cd "$in" && zip -qr "$dir/$1.zip" .)
        for path in "$in" "$dir/$1.zip"; do
            rm -rf "$out"
            batch "$path" --roster "$dir/roster.csv"
            [ "$status" -eq 0 ] && is "$(book "SELECT group_concat(DISTINCT student) FROM attempt")" asmith || return 1
        done
    }
    one asmith lab0.cu
    one asmith lab0/kernel.cu lab3/lab3.cu
    one asmith asmith/lab0.cu
    one asmith src/lab0.cu old/notes.txt
    one asmith_lab0 lab0.cu old/lab0.cu
    one smithann_1_55_work lab0.cu
    one asmith lab0.cu jlee.cuh
    in=$dir/one/asmith # two folders with a source each may be two students'
    rm -rf "$in"
    put a/lab0.cu b/lab0.cu
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "'$in' is the name of a student, but 'b' in it may be another's"
    put lab0.cu # a source beside them shows that they are versions
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 0 ]
    rm -rf "$out"
    batch "$in/lab0.cu" --roster "$dir/roster.csv" # a source in a student's folder
    [ "$status" -eq 0 ]
    is "$(book "SELECT student FROM attempt")" asmith
    mv "$in/lab0.cu" "$in/kernel.cu"
    batch "$in/kernel.cu" --roster "$dir/roster.csv" --lab lab0
    [ "$status" -eq 0 ]
}

@test "sections without a roster are nobody's until --students says which folders are students'" {
    for student in A/alice A/bob A/carol B/dave B/eve; do put "Section $student/lab0.cu"; done
    batch "$in"
    [ "$status" -eq 2 ]
    has "'$in/Section A' is one student's folder, or it holds several students' ('alice', 'bob'), so nothing in it is taken: say --students '*' or --students '*/*'"
    [ "$(book "SELECT count(*) FROM attempt")" -eq 0 ]
    batch "$in" --students '*/*'
    [ "$status" -eq 0 ]
    is "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" alice,bob,carol,dave,eve
    rm -rf "$out"
    batch "$in" --students '*' # versions of one student each
    is "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" "Section A,Section B"
    has "3 of 5 sources in '$in' are not taken, because their authors have others"
    rm -rf "$out" "$in"/*
    put alice/lab0.cu alice/old/lab0.cu bob/src/lab0.cu bob/lab7/lab7.cu carol/lab0.cu
    batch "$in" # what is one student's needs no option
    [ "$status" -eq 0 ]
    [ "$(book "SELECT count(DISTINCT student) FROM attempt")" -eq 3 ]
    rm -rf "$out"
    put dave/v1/lab0.cu dave/v2/lab0.cu # the others are taken all the same
    batch "$in"
    [ "$status" -eq 2 ]
    [ "$(book "SELECT count(DISTINCT student) FROM attempt")" -eq 3 ]
}

@test "a section with one student of the roster and two strangers: each is found or listed" {
    roster name,login,id 'Ann Smith,asmith,1' 'Jane Lee,jlee,2' 'Jon Roe,jroe,3'
    put A/jlee/lab0.cu A/zzz/lab0.cu A/yyy/lab0.cu B/asmith/lab0.cu B/jroe/lab0.cu C/xxx/lab0.cu C/www/lab0.cu
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    is "$(book "SELECT group_concat(student) FROM (SELECT student FROM attempt ORDER BY 1)")" "?www,?xxx,?yyy,?zzz,asmith,jlee,jroe"
    rm -rf "$out" "$in/C" "$in/B" # a student's misspelt folder among students' folders
    put asmith/lab0.cu
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 2 ]
    has "'$in/A' is one student's folder, or it holds several students' ('jlee', 'yyy')"
    is "$(book "SELECT group_concat(student) FROM attempt")" asmith
}

@test "what an instructor gave back is nobody's work, however new it is" {
    roster Student,ID,'SIS User ID','SIS Login ID',Section '"Doe, Jane",1003,s3,jdoe,A' '"Roe, Jon",1004,s4,jroe,A'
    put 'Lab 0/Doe, Jane(jdoe)/Submission attachment(s)/lab0.cu' 'Lab 0/Roe, Jon(jroe)/Submission attachment(s)/kernel.cu' \
        'Lab 0/Roe, Jon(jroe)/Feedback Attachment(s)/lab0_coalescing.cu' 'Lab 0/Doe, Jane(jdoe)/Feedback Attachment(s)/lab0_coalescing.cu'
    echo well done >"$in/Lab 0/Roe, Jon(jroe)/comments.txt"
    batch "$in" --roster "$dir/roster.csv" --lab lab0
    is "$(whose)" "s3 Lab 0/Doe, Jane(jdoe)/Submission attachment(s)/lab0.cu, s4 Lab 0/Roe, Jon(jroe)/Submission attachment(s)/kernel.cu"
    is "$(book "SELECT count(*) FROM input WHERE fate = 'feedback'")" 3
    rm -rf "$out" "$in"/*
    put 'Jane Doe_7_assignsubmission_file_/lab0.cu' 'Jane Doe_7_assignfeedback_file_/lab0.cu' 'Jon Roe_8_assignsubmission_file_/lab0.cu'
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 0 ]
    is "$(whose)" "s3 Jane Doe_7_assignsubmission_file_/lab0.cu, s4 Jon Roe_8_assignsubmission_file_/lab0.cu"
    rm -rf "$out" "$in"/*
    put submitted/jdoe/lab0/kernel.cu submitted/jroe/lab0/kernel.cu feedback/jdoe/lab0/kernel.cu autograded/jroe/lab0/kernel.cu source/lab0/kernel.cu
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 0 ]
    is "$(whose)" "s3 submitted/jdoe/lab0/kernel.cu, s4 submitted/jroe/lab0/kernel.cu"
}

# ---------------------------------------------------------------- versions
@test "each version in a download is an attempt with its own number and time: Autolab, PrairieLearn, Canvas" {
    attempts() { book "SELECT group_concat(replace(file, '$in/', '') || ' ' || coalesce(time(nullif(submitted, 0), 'unixepoch'), '-'), ', ') FROM (SELECT * FROM attempt ORDER BY submitted, id)"; }
    printf '{"attempts": "last"}' >"$dir/course.json"
    put jdoe@x.org_1_handin_lab0.cu jdoe@x.org_2_handin_lab0.cu jdoe@x.org_10_handin_lab0.cu
    for n in 1:10:00 2:12:00 10:11:00; do touch -d "2026-10-01 ${n#*:} UTC" "$in/jdoe@x.org_${n%%:*}_handin_lab0.cu"; done
    batch "$in" --course "$dir/course.json"
    [ "$status" -eq 0 ] # version 10 is not older than version 2
    is "$(attempts)" "jdoe@x.org_1_handin_lab0.cu 10:00:00, jdoe@x.org_2_handin_lab0.cu 12:00:00, jdoe@x.org_10_handin_lab0.cu 12:00:00"
    is "$(jq '.students[0].labs.lab0.attempt' "$out/gradebook.json")" "$(book "SELECT id FROM attempt WHERE file LIKE '%_10_%'")"
    rm -rf "$out" "$in"/*
    for n in 45678 45699 100000; do
        put "Lab0/jdoe@x.org_1_lab0_1_2_${n}_kernel.cu" "Lab0/jdoe@x.org_1_lab0_1_2_${n}_lab0.cu" "Lab0/alee@x.org_1_cuda/lab0_1_2_${n}_kernel.cu"
    done
    batch "$in"
    is "$(book "SELECT group_concat(student || ' ' || n, ', ') FROM (SELECT student, count(*) AS n FROM attempt GROUP BY student ORDER BY 1)")" "alee@x.org 3, jdoe@x.org 3"
    is "$(book "SELECT group_concat(replace(file, '$in/Lab0/jdoe@x.org_1_', '')) FROM (SELECT * FROM attempt WHERE student = 'jdoe@x.org' ORDER BY id)")" \
        lab0_1_2_45678_lab0.cu,lab0_1_2_45699_lab0.cu,lab0_1_2_100000_lab0.cu
    has "'$in/Lab0/jdoe@x.org_1_lab0_1_2_45678_kernel.cu' is not taken for lab0: '$in/Lab0/jdoe@x.org_1_lab0_1_2_45678_lab0.cu' is"
    rm -rf "$out" "$in"/*
    put doejane_5_100_lab0.cu doejane_5_101_lab0-2.cu doejane_5_102_lab0-10.cu doejane_5_103_helper.cu
    batch "$in" --course "$dir/course.json"
    is "$(attempts)" "doejane_5_100_lab0.cu -, doejane_5_101_lab0-2.cu -, doejane_5_102_lab0-10.cu -"
    is "$(jq '.students[0].labs.lab0.attempt' "$out/gradebook.json")" "$(book "SELECT max(id) FROM attempt")"
}

# bats test_tags=rest
@test "a source that is not taken is named with the one that is, on the terminal and in the ledger" {
    put alice/lab0_coalescing.cu alice/old/lab0.cu
    put bob/lab0.cu bob/old/lab0.cu
    touch -d '2026-10-01 12:00 UTC' "$in"/bob/lab0.cu "$in"/bob/old/lab0.cu
    batch "$in"
    has "'$in/alice/old/lab0.cu' is not taken for lab0: '$in/alice/lab0_coalescing.cu' is"
    has "'$in/bob/old/lab0.cu' is not taken for lab0: '$in/bob/lab0.cu' is" # of one time
    run "$GRADE" report --out "$out"
    has "alice: '$in/alice/old/lab0.cu', lab0: another source of the same student is taken: '$in/alice/lab0_coalescing.cu'"
}

# ---------------------------------------------------------------- forms
@test "forms: the roster tells a login from a title, a number from a name, and a name of one word" {
    roster 학번,이름,아이디 2001,김민준,mjkim 2002,박지성,jspark 2003,이서연,j_lee 2004,최수진,jlee
    put Lab_0_CUDA_jlee_attempt_2026-10-01-23-59-00_kernel.cu Lab_0_CUDA_j_lee_attempt_2026-10-01-23-59-00_kernel.cu \
        '박지성(jspark)/Submission attachment(s)/lab0.cu' 김민준_2001/lab7.cu 2001_김민준_lab1.cu lab0_2001_김민준.cu 2002_김민준_lab0.cu
    batch "$in" --roster "$dir/roster.csv" --lab lab0,lab1,lab7
    [ "$status" -eq 2 ]
    is "$(whose)" "2001 lab0_2001_김민준.cu, 2001 2001_김민준_lab1.cu, 2001 김민준_2001/lab7.cu, 2002 박지성(jspark)/Submission attachment(s)/lab0.cu, 2003 Lab_0_CUDA_j_lee_attempt_2026-10-01-23-59-00_kernel.cu, 2004 Lab_0_CUDA_jlee_attempt_2026-10-01-23-59-00_kernel.cu, ?2002_김민준 2002_김민준_lab0.cu"
    has "the number is that of '2002' and the name that of '2001', so neither gets it: '$in/2002_김민준_lab0.cu'"
    is "$(book "SELECT count(*) FROM attempt WHERE origin = 'Blackboard' AND clock = 3 AND submitted > 0")" 2
}

# bats test_tags=rest
@test "forms: Brightspace's times of other languages, and one that is not known" {
    roster name,id 'Jane Doe,1' 'Ann Lee,2' 'Jon Roe,3'
    put '1-9 - Jane Doe - 1 October, 2026 2359/lab0.cu' '2-9 - Ann Lee - 1. Okt. 2026 2359 - lab0.cu' '3-9 - Jon Roe - 10 1 2026 2359/lab0.cu'
    batch "$in" --roster "$dir/roster.csv"
    [ "$status" -eq 0 ]
    is "$(book "SELECT group_concat(student || ' ' || iif(clock = 3, datetime(submitted, 'unixepoch'), '-'), ', ') FROM (SELECT * FROM attempt ORDER BY student)")" \
        "1 2026-10-01 23:59:00, 2 2026-10-01 23:59:00, 3 -"
    has "the file's time counts, because Brightspace's has a form that is not known: '$in/3-9 - Jon Roe - 10 1 2026 2359/lab0.cu'"
}

@test "--lab of one lab: a text that defines its kernels is a source, whatever its name ends with" {
    kernels() { mkdir -p "$(dirname "$in/$1")" && printf '__global__ void scale(int) { %s }}\n' "$1" >"$in/$1"; }
    kernels alice/lab0.cu.txt
    kernels bob/kernel.cpp
    kernels carol/lab0
    kernels dave/lab0.cu
    kernels dave/lab0.txt
    kernels 'Lab 0_eve_attempt_2026-10-01-23-59-00.txt'
    kernels doejane_1_2_work.c
    echo 'my __global__ notes' >"$in/alice/notes.txt"
    batch "$in" --lab lab0
    is "$(whose)" "alice alice/lab0.cu.txt, bob bob/kernel.cpp, carol carol/lab0, dave dave/lab0.cu, doejane-1 doejane_1_2_work.c"
    has "'$in/dave/lab0.txt' is not taken for lab0: '$in/dave/lab0.cu' is"
    has "no CUDA source (.cu) from 'eve'"
    rm -rf "$out"
    batch "$in" # without --lab, only ".cu" is a source
    is "$(whose)" "dave dave/lab0.cu"
}

# bats test_tags=rest
@test "--lab of another lab than what was handed in says for which labs the sources are" {
    put alice/lab3.cu bob/lab3.cu carol/lab0.cu
    batch "$in" --lab lab7
    [ "$status" -eq 0 ]
    has "3 sources are for other labs than --lab names: lab0, lab3"
}

# bats test_tags=rest
@test "Gradescope's list with an anchor defined twice says both lines and what to do" {
    put export/submission_1/lab0.cu export/submission_2/lab0.cu
    printf '%s\n' --- submission_1: '  :submitters:' '  - :name: &1 Jane' submission_2: '  :submitters:' '  - :name: &1 Jon' >"$in/export/submission_metadata.yml"
    batch "$in"
    [ "$status" -eq 2 ]
    has "lines 4 and 7 define the same anchor ('&' and a name): give one of them another name, or export the submissions again"
}

# bats test_tags=rest
@test "a clone without a commit is named" {
    for who in alice bob; do
        mkdir -p "$in/$who" && git -C "$in/$who" init -q
    done
    put bob/lab0.cu
    (cd "$in/bob" && git add . && git -c user.name=x -c user.email=x@x commit -qm x)
    batch "$in"
    [ "$status" -eq 2 ]
    has "a clone without a commit: '$in/alice'"
}
