#!/usr/bin/env bats
# The ladders in figures (tools/ladder): what docs/ladders.md shows is what was measured and predicted, and what was predicted
# is what the simulator still says.

@test "the tables of docs/ladders.md are those of reference/measured" {
    diff <(sed -n '/^<!-- ladder: /,/^<!-- end of ladder/p' docs/ladders.md | sed '1d;$d') <(tools/ladder table) ||
        { echo "run: make ladder"; false; }
}

@test "the labs' thresholds follow from what the marked steps reach on the card" {
    diff <(jq -S .thresholds reference/measured/h200.json) <(tools/ladder thresholds | jq -S .) || { echo "run: make ladder"; false; }
    diff <(for lab in labs/lab*/lab.c; do sed -nE 's/^    \.(lesson|furthest) = ([0-9.]+),/\2/p' "$lab"; done) \
        <(jq '.[] | .lesson, .furthest' < <(tools/ladder thresholds)) || { echo "labs/*/lab.c: .lesson and .furthest"; false; }
}

@test "and on the simulator, from no more than what the marked steps reach there" {
    # a row holds the smaller speedup of both compilers, and sim.json nvcc's
    jq -r --argjson marked "$(tools/ladder marked)" '
        (reduce .kernels[] as $k ({}; .[$k.kernel] = $k.speedup)) as $speedup | $marked | to_entries[] |
        "\(.key) \($speedup[.value[0]]) \($speedup[.value[1]])"' reference/measured/sim.json |
        while read -r lab lesson furthest; do
            row=$(sed -n "s/^THRESHOLD(\"h200\", \"$lab\", \(.*\), \(.*\))/\1 \2/p" grader/lab/threshold.def)
            awk -v lesson="$lesson" -v furthest="$furthest" '
                { found = $1 > 0.6 * lesson && $1 <= lesson && $2 > 0.6 * furthest && $2 <= furthest }
                END { exit !found }' <<<"$row" || { echo "$lab: $row, simulated $lesson $furthest; run: make ladder devices"; exit 1; }
        done
}

@test "each ladder marks one step as the lesson's own, and one as that of full marks" {
    for lab in labs/lab*/; do
        lab=$(basename "$lab")
        for mark in "the lesson's own step" "full marks"; do
            marked=$(for file in reference/ladder/"$lab"/*.cu reference/"$lab".cu; do sed -n "1{/^\/\/ .*, $mark:/p}" "$file"; done)
            [ "$(grep -c . <<<"$marked")" = 1 ] || { echo "$lab, $mark: $marked"; false; }
        done
    done
}

@test "every reference, rung and baseline was measured and predicted" {
    diff <(jq -r '.kernels[].kernel' reference/measured/sim.json | sort) \
        <(ls labs/lab*/baseline.cu reference/lab*.cu reference/ladder/*/*.cu | sort)
    diff <(jq -r '.kernels[].kernel' reference/measured/h200.json | sort) \
        <(jq -r '.kernels[].kernel' reference/measured/sim.json | grep -v baseline | sort | grep -v pageable) # calibrate leaves that out
}

@test "the simulator still predicts what reference/measured/sim.json says of lab 0's reference" {
    tools/setup has nvcc || skip "no nvcc, with which it was predicted"
    diff <(jq '.kernels[] | select(.kernel == "reference/lab0_coalescing.cu")' reference/measured/sim.json) \
        <(tools/ladder predict reference/lab0_coalescing.cu) || { echo "run: make ladder"; false; }
}

@test "card and simulator agree on who is fast enough, but for what is listed with its cause" {
    diff <(grep '^[a-z]*/' reference/measured/differences.txt | sed 's/:.*//' | sort) \
        <(tools/ladder verdicts | sed 's/:.*//' | sort)
}

@test "the references keep within their limits of what a user would call instead" {
    awk -f tests/gpu/anchors/limits.awk tests/gpu/anchors/limits.txt \
        <(jq -r '.anchors[] | [.name, .anchor_us, .reference_us] | @tsv' reference/measured/h200_anchors.json) >"$BATS_TEST_TMPDIR/said"
    cat "$BATS_TEST_TMPDIR/said"
    ! grep -vE '^ok ' "$BATS_TEST_TMPDIR/said" | grep . && ! grep '# skip' "$BATS_TEST_TMPDIR/said"
}
