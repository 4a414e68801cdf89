#!/usr/bin/env bats
# Names and archives: every file that a computer can pack is a row of the ledger, and each row has its own author or none.
# Nothing is graded here that builds. tests/batch/pack makes the archives.

setup() {
    dir=$BATS_TEST_TMPDIR
    out=$dir/out
    in=$dir/in
    mkdir "$in"
    cd "$dir"
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
hasnt() { [[ $output != *"$1"* ]] || { echo "'$1' in: $output"; return 1; }; }
book() { sqlite3 "$out/book.db" "$1"; }
put() { # put PATH: a source that does not build
    mkdir -p "$(dirname "$in/$1")"
    echo "int x; // $1 }}" >"$in/$1"
}
batch() { run "$GRADE" batch "$@" --out "$out" --engine sim; echo "$output"; }
pack() { "$BATS_TEST_DIRNAME/../batch/pack" "$@"; }
# ending FORMAT: the extension of a file that tests/batch/pack writes
ending() { case $1 in zip*) echo zip ;; ustar | gnu | pax) echo tar ;; *) echo "$1" ;; esac; }

# In the output of a dry run, a line for each file of tests/batch/pack: the student, then the number of the file and the
# lab. Fails if a file has another's author or lab, or two lines.
rows() {
    sed -nE "s|^(.*): '.*/f([0-9]+)\.cu', (lab[0-9])[^:]*: .*|\1 \2 \3|p" <<<"$output" >"$dir/rows"
    awk -v labs='0 1 2 3 4 5 7' '
        BEGIN { split(labs, lab, " ") }
        { id = $(NF - 1); if ($NF != "lab" lab[id % 7 + 1] || seen[id]++) bad = 1 }
        $1 !~ /^\?/ && $1 != "s" id { bad = 1 }
        bad { print "a wrong row: " $0; exit 1 }' "$dir/rows"
}

@test "forty names in twelve kinds of archives: each is a row, with its own author or none" {
    pack roster >roster.csv
    for form in zip zip-bytes zip-dos zip-path zip-stored 7z ustar gnu pax tar.gz tar.xz tar.zst; do
        pack names $form utf-8 "class.$(ending $form)"
        run "$GRADE" batch "class.$(ending $form)" --roster roster.csv --dry-run --out "$out"
        echo "$form: $output"
        rows
        [ "$(wc -l <rows)" -eq 40 ]
        [ "$(grep -c '^s' rows)" -eq 36 ]
        has '?new\x0aline: '
        has '?new\x09line: '
        hasnt "--names"
        [ "$status" -eq 2 ]
        rm class.*
    done
}

@test "names in other encodings: with --names each has its author, and a guess says so and mixes nobody up" {
    pack roster >roster.csv
    for form in zip-bytes zip-dos zip-path ustar gnu tar.gz; do
        for encoding in cp949 shift-jis cp437 iso-8859-1; do
            pack names $form $encoding "class.$(ending $form)"
            run "$GRADE" batch "class.$(ending $form)" --roster roster.csv --dry-run --out "$out" --names $encoding
            echo "$form $encoding: $output"
            rows
            [ "$(wc -l <rows)" -eq 40 ]
            [ "$(grep -c '^s' rows)" -ge 35 ]
            hasnt "by guess"
            run "$GRADE" batch "class.$(ending $form)" --roster roster.csv --dry-run --out "$out"
            echo "$form $encoding, no --names: $output"
            rows
            [ "$(wc -l <rows)" -eq 40 ]
            [ $form = zip-path ] || has "--names ENCODING"
            rm class.*
        done
    done
}

# Fails if one of 20 archives, each cut from FILE, ends with another code than 2, or gives a file to another student.
cuts() { # cuts FILE ENDING OPTIONS...
    local k
    pack cut "$1" 20
    for k in {1..20}; do
        mv "$1.$k" "cut$k.$2"
        run "$GRADE" batch "cut$k.$2" --dry-run --out "$out" "${@:3}"
        echo "$k: $output"
        [ "$status" -eq 2 ]
        rows
        has "the archive ends early"
    done
}

@test "a class's archive that was cut: what is taken from it is its own, never that of an archive inside" {
    for form in zip-stored 7z gnu; do
        pack class $form class
        cuts class "$(ending $form)"
        rm class*
    done
    for i in {10..21}; do # as "zip -r" stores archives of students who put it into a folder with another's name
        mkdir -p "$in/s$i" "s$(((i - 9) % 12 + 10))"
        echo x >"s$(((i - 9) % 12 + 10))/f$i.cu"
        head -c 2000 /dev/urandom >"s$(((i - 9) % 12 + 10))/notes"
        zip -qr "$in/s$i/hw.zip" "s$(((i - 9) % 12 + 10))"
        rm -r "s$(((i - 9) % 12 + 10))"
    done
    (cd "$in" && zip -qr ../class .)
    printf 'name,id\n' >roster.csv
    printf 's%d,s%d\n' $(seq 10 21 | sed p) >>roster.csv
    cuts class.zip zip --roster roster.csv
    hasnt ": taken: "
    batch class.zip --roster roster.csv --dry-run --lab lab0
    [ "$(grep -c ': taken: ' <<<"$output")" -eq 12 ]
}

# bats test_tags=rest
@test "forty names, and the archive cut at twenty places: nobody gets another's file, and the exit code is 2" {
    pack roster >roster.csv
    for form in zip zip-bytes zip-dos zip-path 7z ustar gnu pax tar.gz tar.xz tar.zst; do
        pack names $form utf-8 class
        cuts class "$(ending $form)" --roster roster.csv
        rm class* cut*
    done
}

@test "a student's archive that was cut is not read as the archive inside" {
    put old/lab0.cu
    (cd "$in/old" && zip -q ../old.zip lab0.cu)
    put mine/lab0.cu
    mkdir -p "$in/mine/backup" students/alice
    mv "$in/old.zip" "$in/mine/backup"
    (cd "$in/mine" && zip -qr "$dir/students/alice/hw.zip" lab0.cu backup)
    truncate -s -120 students/alice/hw.zip
    batch students
    [ "$status" -eq 2 ]
    has "'alice/hw.zip': the archive ends early: its directory"
    [ "$(book "SELECT fate FROM input")" = unreadable ]
    [ "$(book "SELECT count(*) FROM attempt")" -eq 0 ]
    (cd "$in/mine" && zip -q0r "$dir/hw.zip" backup lab0.cu) # cut where the archive inside ends
    truncate -s $(($(grep -abom 1 $'PK\x05\x06' hw.zip | head -n 1 | cut -d: -f1) + 22)) hw.zip
    batch hw.zip --dry-run
    [ "$status" -eq 2 ]
    has "'hw.zip': the archive is damaged: the directory at its end is not its own"
    hasnt ": taken: "
}

@test "zips of other kinds are whole: streamed, with 64-bit records, with a comment, packed by bzip2" {
    for i in 00 01 02; do put s$i/lab0.cu; done
    cd "$in"
    zip -qr - . | cat >../streamed.zip
    zip -qr -fz ../long.zip .
    zip -qr -Z bzip2 ../bzip2.zip .
    zip -qr ../comment.zip .
    echo "a comment with PK" | zip -qz ../comment.zip
    cd ..
    for name in streamed long bzip2 comment; do
        batch $name.zip --dry-run
        [ "$status" -eq 0 ]
        has "3 submissions, 3 of them new"
    done
    # method 9, which libarchive does not know, in the local header and in the directory of the first file
    printf '\x09' | dd of=comment.zip bs=1 conv=notrunc seek=$(($(grep -abo $'PK\x03\x04' comment.zip | sed -n 2p | cut -d: -f1) + 8)) status=none
    batch comment.zip --dry-run
    [ "$status" -eq 2 ]
    has "it cannot be read: Unsupported ZIP compression method (9"
    has "'comment.zip': 2 of 3 members were read"
}

@test "bytes before, behind or between the members of a zip: nothing is taken, and it is said" {
    pack names zip utf-8 class.zip
    { echo "a prefix" && cat class.zip; } >before.zip
    { cat class.zip && echo "a suffix"; } >behind.zip
    { cat class.zip class.zip; } >twice.zip
    { head -c 300 class.zip && tail -c +310 class.zip; } >missing.zip
    for name in before behind twice missing; do
        batch $name.zip --dry-run
        [ "$status" -eq 2 ]
        has "-: '$name.zip': could not be read: "
        has "0 submissions"
    done
}

@test "an encrypted file is named as such, and says how many could be read" {
    put alice/lab0.cu
    put bob/lab0.cu
    (cd "$in" && zip -qr ../class.zip alice && zip -qr -P secret ../class.zip bob)
    batch class.zip
    [ "$status" -eq 2 ]
    has "'class.zip/bob/lab0.cu': encrypted; a password is needed"
    has "'class.zip': 1 of 2 members were read"
    [ "$(book "SELECT student || ' ' || fate FROM input ORDER BY 1")" = $'alice taken\nbob unreadable' ]
    printf 'name,id\nalice,s1\nbob,s2\n' >roster.csv
    (cd "$in" && zip -qr -P secret ../locked.zip alice bob)
    batch locked.zip --roster roster.csv --dry-run
    [ "$status" -eq 2 ]
    has "s1: 'locked.zip/alice/lab0.cu': could not be read: encrypted; a password is needed"
    has "s2: 'locked.zip/bob/lab0.cu': could not be read: encrypted; a password is needed"
    has "'locked.zip': 0 of 2 members were read"
}

@test "clones in an archive: one row for .git, and a note that its commits do not count" {
    for name in alice bob; do
        put $name/lab0.cu
        git -C "$in/$name" init -q
        git -C "$in/$name" add lab0.cu
        git -C "$in/$name" -c user.name=x -c user.email=x@y commit -qm one
    done
    (cd "$in" && zip -qr ../class.zip .)
    batch class.zip
    [ "$status" -eq 0 ]
    has "2 clones are packed in archives: their commits are not looked at, and the times of their files are those in the archive: 'class.zip'"
    [ "$(book "SELECT path || ' ' || fate FROM input ORDER BY 1")" = "class.zip/alice/.git skipped
class.zip/alice/lab0.cu taken
class.zip/bob/.git skipped
class.zip/bob/lab0.cu taken" ]
}

@test "a clone without a commit is named, whatever the bytes of its path" {
    git init -q "$in/$(iconv -t CP949 <<<박지성)"
    batch "$in" --names cp949
    [ "$status" -eq 2 ]
    has "a clone without a commit: '$in/박지성'"
    put alice/lab0.cu
    name=$(iconv -t CP949 <<<이순신)
    cp -r "$in/alice" "$in/$name"
    git -C "$in/$name" init -q
    git -C "$in/$name" add lab0.cu
    git -C "$in/$name" -c user.name=x -c user.email=x@y commit -qm one
    batch "$in" --dry-run
    has "이순신: '$in/이순신', lab0: taken: a new attempt"
    has "2 names bear no mark of their encoding; read as CP949, by guess: '$in'."
}

@test "names on disk in CP949: each student has the own work, with --names and by guess" {
    printf 'name,id\n' >roster.csv
    id=0
    for name in 김민준 이서연 박지성 최유진 정하늘; do
        put $name/lab0.cu
        mv "$in/$name" "$in/$(iconv -t CP949 <<<$name)"
        echo "$name,s$((++id))" >>roster.csv
    done
    for option in --names=cp949 --no-sandbox; do
        rm -rf "$out"
        batch "$in" --roster roster.csv $option
        [ "$status" -eq 0 ]
        [ "$(book "SELECT name FROM attempt JOIN student ON key = student JOIN source ON hash = source WHERE CAST(text AS TEXT) LIKE '%' || name || '/%' ORDER BY key")" = "김민준
이서연
박지성
최유진
정하늘" ]
    done
    batch "$in" --names klingon
    [ "$status" -eq 2 ]
    has "--names: there is no encoding 'klingon'"
}

@test "names in no encoding are told apart by their bytes, and so are lines and tabs in names" {
    for name in $'\xff\xfe' $'\xff\xfd' $'line\nfeed' $'line\tfeed' 'line\x0afeed'; do put "$name/lab0.cu"; done
    batch "$in" --names cp949
    [ "$status" -eq 0 ]
    has "5 submissions, 5 of them new"
    has "2 names are in no known encoding, so their bytes are shown as \\xHH: '$in'."
    [ "$(book "SELECT student FROM input ORDER BY 1")" = '\xff\xfd
\xff\xfe
line\\x0afeed
line\x09feed
line\x0afeed' ]
    [ "$(book "SELECT count(DISTINCT student) FROM attempt")" -eq 5 ]
}

@test "files with one name in an archive, archives without a file, several archives in a file: all are rows" {
    put alice/lab0.cu
    put bob/lab0.cu
    tar -C "$in" -cf class.tar alice
    echo "int newer; // }}" >"$in/alice/lab0.cu"
    tar -C "$in" -rf class.tar alice
    tar -C "$in" -cf second.tar bob
    cat second.tar >>class.tar
    batch class.tar
    [ "$status" -eq 0 ]
    [ "$(book "SELECT student || ' ' || path || ' ' || fate FROM input ORDER BY 1")" = "alice class.tar/alice/lab0.cu (2) superseded
alice class.tar/alice/lab0.cu taken
bob class.tar/bob/lab0.cu taken" ]
    [ "$(book "SELECT count(*) FROM attempt JOIN source ON hash = source WHERE CAST(text AS TEXT) LIKE '%newer%'")" -eq 1 ]
    rm -rf "$out" students
    mkdir -p students/carol empty
    tar -cf students/carol/hw.tar empty
    batch students
    has "no CUDA source (.cu) from 'carol': 'students/carol/hw.tar'"
    [ "$(book "SELECT student || ' ' || path || ' ' || fate FROM input")" = "carol students/carol/hw.tar no source" ]
}

@test "a tar archive may bear each usual ending" {
    put alice/lab0.cu
    for ending in tar tar.gz tgz tar.xz txz tar.bz2 tbz2 tar.zst tzst; do
        tar -C "$in" -caf "class.$ending" alice
        tar -C "$in/alice" -caf "bob.$ending" lab0.cu
        batch "class.$ending" --dry-run
        [ "$status" -eq 0 ]
        has "alice: 'class.$ending/alice/lab0.cu', lab0: taken"
        batch "bob.$ending" --dry-run
        has "bob: 'bob.$ending/lab0.cu', lab0: taken"
    done
}

@test "PowerShell's backslashes are folders, after names are decoded" {
    pack roster >roster.csv
    for encoding in utf-8 cp932; do
        pack names zip-windows $encoding class.zip
        batch class.zip --roster roster.csv --dry-run --names $encoding
        rows
        [ "$(wc -l <rows)" -eq 40 ]
        [ "$(grep -c '^s' rows)" -ge 34 ]
    done
}
