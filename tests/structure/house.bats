#!/usr/bin/env bats
# The house rules that a program can check.

# One finding a line; the test fails when there is any.
none() { # none "what is wrong" < findings
    local found
    found=$(cat)
    [ -z "$found" ] || { echo "$1:"; echo "$found"; return 1; }
}
# Folders that stand in the matrix, their sources and headers.
mapfile -t folders < <(sed -n 's/^\([a-z/]*\):.*/\1/p' grader/matrix.txt)
shopt -s nullglob
sources=() headers=()
for folder in "${folders[@]}"; do
    [ "$folder" != kit ] || continue # CUDA code, which other compilers read
    sources+=("grader/$folder"/*.[ch])
    headers+=("grader/$folder"/*.h)
done
# Folders that a folder of grader/ may include, itself among them.
row() { sed -n "s|^$1: *|$1 |p" grader/matrix.txt; }

@test "every folder of grader/ stands in the matrix" {
    dirname grader/*/*.c grader/*/*/*.c | sort -u | while read -r folder; do
        [ -n "$(row "${folder#grader/}")" ] || echo "$folder"
    done | none "not in grader/matrix.txt"
}

@test "thresholds that have changed have another version" {
    tools/ladder version check
    cp -r --parents tools/ladder grader/lab labs/*/lab.c "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    local before
    before=$(sed -n 's/^#define LAB_THRESHOLD_VERSION \([0-9]*\) .*/\1/p' grader/lab/threshold.h)
    sed -i 's/^\(THRESHOLD("t4", "lab3", .*\))/\11)/' grader/lab/threshold.def
    run tools/ladder version check
    [ "$status" -eq 1 ]
    tools/ladder version
    tools/ladder version check
    grep -q "^#define LAB_THRESHOLD_VERSION $((before + 1)) " grader/lab/threshold.h
}

@test "the matrix has no circle: a row names only rows above it" {
    sed -e '/^#/d' -e 's/://' grader/matrix.txt |
        awk '{ for (i = 2; i <= NF; i++) if (!($i in above)) print $1 " -> " $i; above[$1] }' |
        none "named before their own row"
}

@test "nobody includes what the matrix does not allow" {
    awk '
        function folder(path) { sub("/[^/]*$", "", path); if (!(path in row)) sub("/.*", "", path); return path }
        FILENAME == "grader/matrix.txt" {
            sub(":", "")
            row[$1]
            for (i = 1; i <= NF; i++) allowed[$1, $i]
            next
        }
        /^ *# *include *"/ {
            split($0, part, "\"")
            if (part[2] !~ "/" || !((folder(substr(FILENAME, 8)), folder(part[2])) in allowed))
                print FILENAME " includes \"" part[2] "\""
        }' grader/matrix.txt "${sources[@]}" | none "against grader/matrix.txt"
}

@test "labs include the lab's header, the engine's and the base's alone" {
    grep -n '^ *# *include *"' labs/*/lab.c | grep -vE '"(lab|engine|base)/' | none "a lab's lab.c knows lab, engine, base"
}

@test "every header compiles alone" {
    # A template (race_rule.h) declares static functions that the file which includes it defines.
    for header in "${headers[@]}"; do
        gcc -std=c11 -Wall -Wextra -Wno-psabi -D_GNU_SOURCE -Igrader -fsyntax-only -fdiagnostics-plain-output \
            -x c "$header" 2>&1 | grep -v "used but never defined" | head -n 3
    done | none "does not compile alone"
}

@test "every header has a guard named after its place" {
    for header in "${headers[@]}"; do
        guard=$(echo "${header#grader/}" | tr 'a-z/.' 'A-Z__')
        grep -q "^#ifndef $guard\$" "$header" || echo "$header: no guard $guard"
    done | none "headers without their guard"
}

@test "no banned functions" {
    # Unbounded copies, numbers without an error, shells, hidden state.
    banned='strcpy|strcat|stpcpy|sprintf|vsprintf|gets|atoi|atol|atoll|atof|system|popen|strtok|tmpnam|tempnam|mktemp|rand|srand|alloca'
    grep -nE "(^|[^a-zA-Z0-9_>.\"'])($banned) ?\(" "${sources[@]}" labs/*/*.c | grep -vE ':[0-9]+: *//' |
        none "banned functions"
}

@test "structs are called structs: no typedef of one" {
    grep -nE '^ *typedef +(struct|union|enum)' "${sources[@]}" labs/*/*.c tests/*/*.[ch] | none "typedefs"
}

@test "files stay under 700 lines and functions have at most 60, not counting a switch's labels" {
    {
        wc -l "${sources[@]}" labs/*/*.c | awk '$2 != "total" && $1 > 700 { print $2 ": " $1 " lines" }'
        awk 'FNR == 1 { open = 0 }
             /^{/ { open = FNR; lines = 0 }
             !/^ *(case .*:|default:|break;)$/ { lines++ }
             /^}/ { if (open && lines > 60) print FILENAME ":" open ": " lines " lines"; open = 0 }' \
            "${sources[@]}" labs/*/*.c
    } | none "too long"
}

@test "every source opens with what it is for" {
    for file in "${sources[@]}" labs/*/lab.c; do
        head -n 1 "$file" | grep -qE '^(//|/\*)' || echo "$file"
    done | none "no opening comment"
}

@test "nothing is left to do" {
    grep -rnE '\b(TODO|FIXME|XXX)\b' grader labs tests reference handouts docs Makefile README.md CONTRIBUTING.md |
        grep -v '^tests/structure/house.bats' | none "left behind"
}

@test "sources are formatted" {
    clang-format --version 2>/dev/null | grep -q 'version 14\.' || skip "clang-format 14 is not here"
    make -s check-format 2>&1 | head -n 20 | none "run make format"
}

@test "a document has a page for each reader, and no page is long" {
    for page in README.md:110 CONTRIBUTING.md:90 $(printf '%s:150 ' docs/*.md); do
        [ "$(wc -l <"${page%:*}")" -le "${page#*:}" ] || echo "${page%:*} has more than ${page#*:} lines"
    done | none "too long"
}

@test "every file that CONTRIBUTING names exists" {
    # Names stand in backticks, from the root or from grader/. A capital or "lab9" marks a placeholder.
    grep -oE '`[^` ]+' -h CONTRIBUTING.md docs/internals.md docs/labs.md docs/tests.md | cut -c2- | grep -E '/|\.(c|h|def|txt|md|cu|bats)$' | grep -E '^[a-z]' | grep -vE '[A-Z<]|lab9|^build/' | sort -u |
        while read -r name; do compgen -G "$name" >/dev/null || compgen -G "grader/$name" >/dev/null || echo "$name"; done |
        none "named in CONTRIBUTING.md, but not there"
}
