#!/usr/bin/env bats
# A class on a cluster: a Slurm of its own (tests/batch/slurm), real daemons, two nodes. What comes back is what a batch
# on this machine makes; nothing is lost with a node, with the batch, or with Slurm's controller.

setup_file() {
    export CLUSTER=$BATS_FILE_TMPDIR/cluster CLASS=$BATS_FILE_TMPDIR/class NO_CLUSTER=
    export SLURM_CONF=$CLUSTER/slurm.conf
    mkdir "$CLUSTER" "$CLASS"
    tests/batch/slurm start "$CLUSTER" >"$BATS_FILE_TMPDIR/said" 2>&1 || NO_CLUSTER=$(head -n 1 "$BATS_FILE_TMPDIR/said")
    [ -z "$NO_CLUSTER" ] || return 0
    for i in 1 2 3 4 5 6; do # most do not build, which is quick
        mkdir "$CLASS/s$i"
        { echo "// handed in by $i"; cat reference/lab0_coalescing.cu; [ "$i" = 5 ] || echo '}}'; } >"$CLASS/s$i/lab0_coalescing.cu"
        touch -d '2026-10-01 12:00 UTC' "$CLASS/s$i/lab0_coalescing.cu"
    done
    tests/batch/key "$BATS_FILE_TMPDIR/here"
    "$GRADE" batch "$CLASS" --out "$BATS_FILE_TMPDIR/here" --engine sim >"$BATS_FILE_TMPDIR/here.log"
}
teardown_file() {
    [ -n "$NO_CLUSTER" ] || tests/batch/slurm stop "$CLUSTER"
}
teardown() {
    ! mountpoint -q "$out" || umount -l "$out"
}
setup() {
    [ -z "$NO_CLUSTER" ] || skip "$NO_CLUSTER"
    out=$BATS_TEST_TMPDIR/out
    tests/batch/key "$out"
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
runs() { sqlite3 "$1/book.db" 'SELECT source, lab, tool, seed, profile, report, text, html, ptx_hash FROM run ORDER BY source'; }
equal() { cmp <(runs "$out") <(runs "$BATS_FILE_TMPDIR/here") && cmp <(marks "$out") <(marks "$BATS_FILE_TMPDIR/here"); }
marks() { jq -S '[.students[] | {key, labs: (.labs | map_values(del(.attempt)))}]' "$1/gradebook.json"; }
# Starts a batch in the background and waits until so many submissions were begun.
background() { # background BEGUN option…
    local begun=$1
    shift
    "$GRADE" batch "$CLASS" --slurm --out "$out" --engine sim "$@" >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
    pid=$!
    for _ in $(seq 3000); do
        [ "$(find "$out/slurm/begun" -type f 2>/dev/null | wc -l)" -lt "$begun" ] || [ ! -e "$out/slurm/job" ] || return 0
        sleep 0.02
    done
    cat "$BATS_TEST_TMPDIR/log"
    return 1
}

@test "both nodes grade, and the book is that of a batch on this machine" {
    gpu=
    ! grep -q Gres=gpu "$SLURM_CONF" || gpu=--gres=gpu:1
    run "$GRADE" batch "$CLASS" --slurm --partition grade $gpu --tasks 9 --out "$out" --engine sim
    echo "$output"
    [ "$status" -eq 0 ]
    has ": 5 tasks for 6 submissions" # the cluster's MaxArraySize
    has "6 graded"
    equal
    [ "$(grep -o 'NodeList=n[12]' "$CLUSTER/completed" | sort -u | wc -l)" -eq 2 ]
    [ -z "$(find "$out/slurm/log" "$out/slurm/result" "$out/slurm/begun" -type f)" ]
    run "$GRADE" batch --slurm --out "$out" --engine sim
    [ "$status" -eq 0 ]
    has "0 graded"
}

# bats test_tags=rest
@test "a node that is taken away loses nothing" {
    touch "$CLUSTER/hold.n1" "$CLUSTER/hold.n2" # or one may be done with both tasks before the other has begun
    background 0 --tasks 2
    for _ in $(seq 6000); do ! squeue --noheader --nodelist n2 --states running | grep -q . || break; sleep 0.02; done
    rm "$CLUSTER/hold.n1"
    tests/batch/slurm fail n2 "$CLUSTER"
    rm "$CLUSTER/hold.n2"
    status=0
    wait $pid || status=$?
    cat "$BATS_TEST_TMPDIR/log"
    tests/batch/slurm return n2 "$CLUSTER" 3>&-
    [ "$status" -eq 0 ]
    grep -q 'submissions are handed out again: NODE_FAIL, n2' "$BATS_TEST_TMPDIR/log"
    equal
}

# bats test_tags=rest
@test "a batch that is killed is taken up again, while Slurm's controller is away" {
    touch "$CLUSTER/hold.n2"
    background 1 --tasks 2
    kill -9 $pid
    wait $pid || true
    kill -STOP "$(cat "$CLUSTER/slurmctld.pid")"
    rm "$CLUSTER/hold.n2"
    "$GRADE" batch --slurm --out "$out" --engine sim >"$BATS_TEST_TMPDIR/log" 2>&1 || status=$?
    kill -CONT "$(cat "$CLUSTER/slurmctld.pid")"
    cat "$BATS_TEST_TMPDIR/log"
    grep -q 'was submitted before' "$BATS_TEST_TMPDIR/log"
    equal
}

# bats test_tags=rest
@test "a shared folder that is full ends it with a sentence, and the book is whole" {
    mount -t tmpfs -o size=2m none "$out" 2>/dev/null || skip "no tmpfs can be mounted here"
    tests/batch/key "$out"
    touch "$CLUSTER/hold.n2"
    background 1 --tasks 2
    cat /dev/zero >"$out/filler" 2>/dev/null || true
    rm "$CLUSTER/hold.n2"
    status=0
    wait $pid || status=$?
    cat "$BATS_TEST_TMPDIR/log"
    [ "$status" -eq 2 ]
    grep -q 'No space left on device\|no room is left for the gradebook' "$BATS_TEST_TMPDIR/log"
    [ "$(sqlite3 "$out/book.db" 'PRAGMA integrity_check')" = ok ]
    rm "$out/filler"
    run "$GRADE" batch --slurm --out "$out" --engine sim
    echo "$output"
    [ "$status" -eq 0 ]
    equal
}

# bats test_tags=rest
@test "a job that somebody cancels is not submitted again" {
    touch "$CLUSTER/hold.n1" "$CLUSTER/hold.n2"
    background 0 --tasks 1
    for _ in $(seq 400); do ! squeue --noheader --states running | grep -q . || break; sleep 0.02; done
    timeout 20 scancel "$(cat "$out/slurm/job")"
    rm "$CLUSTER"/hold.n?
    status=0
    wait $pid || status=$?
    cat "$BATS_TEST_TMPDIR/log"
    [ "$status" -eq 2 ]
    grep -q 'are not graded yet: CANCELLED' "$BATS_TEST_TMPDIR/log"
    run "$GRADE" batch --slurm --out "$out" --engine sim
    echo "$output"
    [ "$status" -eq 0 ]
    equal
}

@test "what Slurm or the nodes refuse is said, and no mark" {
    run "$GRADE" batch "$CLASS/s1" --slurm --partition none --out "$out"
    echo "$output"
    [ "$status" -eq 2 ]
    has "Slurm did not take the job"
    has "nvalid partition"
    run "$GRADE" batch --slurm --out "$out" --engine gpu --card 7
    echo "$output"
    [ "$status" -eq 2 ]
    has "there is no card to measure on"
    has "1 are not graded yet"
    [ "$(sqlite3 "$out/book.db" 'SELECT count(*) FROM run')" -eq 0 ]
}
