#!/usr/bin/env bats
# A semester of a class, over all labs and from four course systems at once: marks, ledger, and what kills do to them.
# tests/batch/semester.txt is the table by which every mark is known beforehand.
#
#   STUDENTS   how many (40)
#   KILLS      how often the batch is killed (3)
#   GRADED     the labs whose sources build ("lab7"; "" for all)

setup_file() {
    export CLASS=$BATS_FILE_TMPDIR/class GRADED=${GRADED-lab7} start
    tests/batch/semester "$CLASS" "${STUDENTS:-40}" $GRADED
    # Refuses at once what ends without an end, as the compiler would after reading all of it.
    compiler=$("$GRADE" doctor | grep -o '/[^ ]*/nvcc\|/[^ ]*/clang[^ ]*' | head -n 1)
    export WARPWISE_COMPILER=$CLASS/$(basename "$compiler")
    cat >"$WARPWISE_COMPILER" <<END
#!/bin/sh
for word; do case \$word in *.cu) file=\$word ;; esac; done
if [ -n "\$file" ] && grep -q '^}}' "\$file"; then echo "\$file(3): error: refused"; exit 1; fi
exec $compiler "\$@"
END
    chmod +x "$WARPWISE_COMPILER"
    start=$(date +%s%N)
    setup
    tests/batch/key "$CLASS/out"
    "${batch[@]}" "$CLASS/out" >"$CLASS/log" 2>&1 || [ $? -eq 2 ]
    export TOOK=$((($(date +%s%N) - start) / 1000000))
}
setup() {
    batch=("$GRADE" batch "$CLASS"/in/* --roster "$CLASS/roster.csv" --course "$CLASS/course.json" --engine sim --out)
}
book() { sqlite3 -separator ' ' "$1/book.db" "$2"; }
# STUDENT LAB VALUE for each student on the roster, where VALUE is a field of gradebook.json.
field() { jq -r ".students[] | select(.enrolled) | .key as \$k | .labs | to_entries[] | \"\(\$k) \(.key) \(.value.$1)\"" "$CLASS/out/gradebook.json" | sort; }

@test "everyone's marks are those of the table made by hand" {
    # What the rubric gives: 100, 65 without technique and speed, 0 for what does not build. Late points are off these.
    awk -v graded=" $GRADED " '{
        points = $3 == "full" ? 100 : $3 == "plain" ? 65 : 0
        if (graded != "  " && !index(graded, " " $2 " ")) points = 0
        print $1, $2, $3 == "blank" ? "null" : points - (points < $4 ? points : $4) }' "$CLASS/marks" | sort >"$BATS_TEST_TMPDIR/right"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/right")" -eq $((9 * ${STUDENTS:-40})) ]
    diff "$BATS_TEST_TMPDIR/right" <(field points)
}

@test "each mark comes from the source that the table says" {
    book "$CLASS/out" "SELECT a.id, substr(s.text, 4, instr(s.text, char(10)) - 4) FROM attempt AS a JOIN source AS s ON s.hash = a.source" |
        awk '{ print $1, $2 }' | sort >"$BATS_TEST_TMPDIR/words"
    diff <(awk '{ print $1, $2, $3 }' "$CLASS/marks" | sort) \
        <(join -1 3 -2 1 -a 1 -o 1.1,1.2,2.2 -e blank <(field attempt | sort -k3,3) "$BATS_TEST_TMPDIR/words" | sort)
}

@test "every path that was handed in is in the ledger exactly once, with the fate that the table says" {
    # An archive that a student handed in stands there by its only file.
    diff <(cut -f3 "$CLASS/manifest" | sed 's|^in/\(moodle[^/]*\)/|\1/|; s|^in/\([^/]*\)/|\1.zip/|' | sort) \
        <(book "$CLASS/out" "SELECT DISTINCT path FROM input" | sed "s|^$CLASS/in/||; s|\(work.zip\)/.*|\1|" | sort)
    # A group's path has a row for each member.
    [ -z "$(book "$CLASS/out" "SELECT path FROM input GROUP BY path HAVING count(*) <> 1 AND path NOT LIKE '%gradescope%' OR count(DISTINCT fate) > 1")" ]
    # Whose it is stands there, too: nobody's are only what the course systems add, and hidden files.
    [ -z "$(book "$CLASS/out" "SELECT path FROM input WHERE student = '' AND fate <> 'skipped' AND path NOT LIKE '%/index.html' AND path NOT LIKE '%.yml'")" ]
    diff "$CLASS/fates" <(book "$CLASS/out" "SELECT count(*), replace(fate, ' ', '-') FROM input GROUP BY fate ORDER BY 2")
}

# bats test_tags=rest
@test "killed at random moments and resumed: the same bytes as undisturbed" {
    local out=$BATS_TEST_TMPDIR/out kills=${KILLS:-3} pid graded seed=$(((RANDOM << 15) + RANDOM))
    RANDOM=${SEED:-$seed}
    echo "SEED=${SEED:-$seed}"
    tests/batch/key "$out"
    for _ in $(seq "$kills"); do
        "${batch[@]}" "$out" >/dev/null 2>&1 3>&- &
        pid=$!
        sleep "$(awk -v r="$RANDOM" -v took="$TOOK" -v kills="$kills" 'BEGIN { printf "%.3f", 0.1 + r / 32768 * took * 2 / (kills + 1) / 1000 }')"
        kill -9 $pid 2>/dev/null && echo "killed with $(book "$out" 'SELECT count(*) FROM run' 2>/dev/null || echo no) runs"
        wait $pid 2>/dev/null || true
    done
    [ "$(book "$out" 'PRAGMA integrity_check')" = ok ]
    graded=$(book "$out" 'SELECT count(*) FROM run')
    run "${batch[@]}" "$out"
    echo "$output" | tail -n 3
    [ "$status" -eq 2 ] # what is not matched stays so
    grep -qE "^(.* \(|)$(($(book "$out" 'SELECT count(*) FROM run') - graded)) (different|graded)" <<<"$output" # nothing twice
    # The reports' texts and the feedback are compared where every lab is graded: make semester.
    for table in 'path, student, lab, fate, why FROM input' '* FROM attempt' '* FROM student' \
        ${KILLS:+'source, lab, tool, profile, report, text, html, ptx_hash FROM run'} 's.total, r.source, r.lab FROM score AS s JOIN run AS r ON r.id = s.run'; do
        diff <(book "$CLASS/out" "SELECT $table" | sort) <(book "$out" "SELECT $table" | sort)
    done
    [ -z "${KILLS-}" ] || diff -r -x 'book.db*' "$CLASS/out" "$out"
}
