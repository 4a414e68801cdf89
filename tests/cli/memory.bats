#!/usr/bin/env bats
# When memory runs out: one sentence and exit code 2, or what would have been said without; never a crash, no wait
# without end, and no other verdict. The hostile build lets every N-th allocation of a process fail
# (grader/base/hostile.h); other builds have no such switch.
# needs: tests/ptx/run

setup() {
    [[ ${BUILD-} == *hostile ]] || skip "the hostile build alone (make test HOSTILE=1)"
    export SUBMISSION=$BATS_TEST_TMPDIR
}

# With every N-th allocation failing, for N of a series, the command ends as above.
ends_well() {
    local every usual
    run "$@"
    usual="$status $output"
    for every in 1 2 3 4 5 7 9 12 16 21 28 38 50 67 89 120 160 210 280 380 500 700 1000 2000 5000 20000; do
        run timeout 60 env WARPWISE_MEMORY_FAILS=$every "$@"
        [[ $status -eq 2 && $(grep -c 'out of memory' <<<"$output") -eq 1 ]] || [ "$status $output" == "$usual" ] ||
            { echo "every ${every}th: exit $status: $output"; return 1; }
    done
}

@test "the commands that grade nothing" {
    ends_well "$GRADE" list
    ends_well "$GRADE" hint lab3 --all
}

@test "a module is read, run and watched" {
    for program in bar atom cp_async call; do ends_well "$BUILD/tests/ptx/run" tests/ptx/$program.ptx; done
}

@test "a submission is graded" {
    ends_well "$GRADE" lab0 reference/lab0_coalescing.cu --no-sandbox --seed 1
}
