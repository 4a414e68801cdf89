#!/usr/bin/env bats
# The records of the labs' baselines (labs/*/baseline.record): each is up to date, a new simulation with nvcc gives it to
# the digit, and with a record the baseline is the same through both compilers.
#
# ALL=1 simulates every device, otherwise the default one. tests/unit/judge_keys_test.c tries other keys.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    dir=$BATS_TEST_TMPDIR
    [[ ${BUILD-} != *hostile ]] || skip "a hostile build simulates another device"
}
labs() { for lab in labs/*/lab.c; do lab=${lab#labs/}; echo "${lab%%_*}"; done; }
devices() { sed -n 's/^baseline //p' labs/"$1"_*/baseline.record; } # devices LAB
# Prints the block of a lab's record for a device.
block() { sed -n "/^baseline $2\$/,/^end\$/p" labs/"$1"_*/baseline.record; }
# A kit of its own, whose records may be changed.
make_kit() {
    mkdir -p "$dir/kit/build/kit" "$dir/kit/grader"
    cp "$GRADE" "$(dirname "$GRADE")/runner-sim" "$dir/kit/build/kit/"
    cp -r "$(dirname "$GRADE")/cudart" "$dir/kit/build/kit/"
    cp -r labs "$dir/kit/"
    cp -r grader/kit "$dir/kit/grader/"
}
query() { jq -r "$1" "$dir/report.json"; }
grade() { # grade COMPILER LAB FILE: grades with the kit, and writes report.json
    run env WARPWISE_COMPILER="$1" "$dir/kit/build/kit/grade" "$2" "$3" --engine sim --hints rule --json "$dir/report.json"
}

@test "each lab has a record for the default device, and each record is up to date (otherwise: make baselines)" {
    for lab in $(labs); do
        devices "$lab" | grep -qx h200 || { echo "$lab has no record"; return 1; }
        for device in $(devices "$lab"); do "$GRADE" baseline "$lab" --device "$device" --check || return 1; done
    done
}

@test "simulated again with nvcc, a baseline has its record to the digit (otherwise: make baselines)" {
    tools/setup has nvcc || skip "no nvcc"
    [[ ${BUILD-} != *sanitize && ${BUILD-} != *coverage ]] || [ -n "${ALL-}" ] || skip "takes long in this build"
    for lab in $(labs); do
        for device in $(if [ -n "${ALL-}" ]; then devices "$lab"; else echo h200; fi); do
            "$GRADE" baseline "$lab" --device "$device" --compiler nvcc >"$dir/now" || return 1
            block "$lab" "$device" >"$dir/then"
            [ "$(grep ^compiler "$dir/now")" = "$(grep ^compiler "$dir/then")" ] || skip "the records come from another nvcc"
            diff "$dir/then" "$dir/now" || { echo "$lab on $device"; return 1; }
        done
    done
}

@test "with a record, the baseline is the same through both compilers and for each seed, and it is not compiled" {
    make_kit
    for lab in lab3 lab6; do
        file=$(echo "$PWD"/reference/${lab}_*.cu)
        recorded=$(block $lab h200 | sed -n 's/^time_ps //p' | head -1)
        for compiler in clang nvcc; do
            tools/setup has $compiler || continue
            grade $compiler $lab "$file"
            [ "$status" -eq 0 ] || { echo "$output"; return 1; }
            [ "$(query .speed.baseline_source)" = record ]
            [ "$(query .speed.baseline_ps)" = "$recorded" ]
        done
    done
    # In the cache is the kernel that lab 6 gives, and no baseline.
    ! ls "$dir/kit/build/cache" | grep -v '^lab6_streams-.*\.ptx$\|^ladder'
}

@test "where no record matches, the baseline runs, and the report says so" {
    make_kit
    for lab in lab0 lab6; do
        file=$(echo "$PWD"/reference/${lab}_*.cu)
        sed -i 's/^model ./model x/' "$dir"/kit/labs/${lab}_*/baseline.record
        run "$dir/kit/build/kit/grade" baseline $lab --check
        [ "$status" -eq 1 ]
        [[ $output == *"its record is damaged"* ]]
        grade "${WARPWISE_COMPILER-}" $lab "$file"
        [ "$status" -eq 0 ] || { echo "$output"; return 1; }
        [ "$(query .speed.baseline_source)" = run ]
        run "$dir/kit/build/kit/grade" $lab "$file" --engine sim --hints rule
        [[ ${output//$'\n'          / } == *"no record of the baseline matches, so it was simulated, too"* ]]
    done
}

@test "no list of commands shows the command that makes records" {
    for list in --help manual "completion words"; do
        run "$GRADE" $list
        [ "$status" -eq 0 ]
        ! grep -w baseline <<<"$output" | grep -w 'baseline LAB\|^baseline$'
    done
    run "$GRADE" baseline --help
    [ "$status" -eq 0 ]
    [[ $output == *"--check"* ]]
}
