#!/usr/bin/env bats
# What a class's key decides (sizes of hidden cases, sampled blocks, recorded slices) does not decide a mark. The same
# kernels are graded with several random keys: no verdict differs, and points differ by at most one.
#
#   KEYS=20 WORKS='reference/lab*.cu reference/ladder/*/*.cu' bats tests/cli/keys.bats     many keys, many kernels

works=${WORKS:-reference/lab0_coalescing.cu reference/lab7_transpose.cu reference/ladder/lab4_atomics/1_shared.cu
    reference/ladder/lab3_syncthreads/2_all_threads.cu}

@test "another key, the same verdict, and points that differ by at most one" {
    dir=$BATS_TEST_TMPDIR
    for file in $works; do
        if [[ $file == reference/ladder/* ]]; then lab=$(basename "$(dirname "$file")"); else lab=$(basename "$file" .cu); fi
        mkdir -p "$dir/in/$(basename "$file" .cu)"
        cp "$file" "$dir/in/$(basename "$file" .cu)/$lab.cu"
    done
    for key in $(seq "${KEYS:-3}"); do
        "$GRADE" batch "$dir/in" --out "$dir/$key" --engine sim --lenient >"$dir/said" 2>&1 || { cat "$dir/said"; false; }
        jq -r '.students[] | .key as $who | .labs | to_entries[] | select(.value.points) |
            "\($who) \(.key) \(.value.passed) \(.value.points)"' "$dir/$key/gradebook.json" >>"$dir/marks"
    done
    [ "$(cat "$dir"/*/book.db.key | sort -u | wc -l)" -eq "${KEYS:-3}" ]
    [ "$(awk '{ print $1, $2 }' "$dir/marks" | sort -u | wc -l)" -eq "$(wc -w <<<"$works")" ]
    awk '{ id = $1 " " $2
           if (!(id in verdict)) { verdict[id] = $3; least[id] = most[id] = $4 }
           if ($3 != verdict[id]) { print id ": passed with some keys"; failed = 1 }
           if ($4 < least[id]) least[id] = $4
           if ($4 > most[id]) most[id] = $4 }
         END { for (id in most) {
                   if (most[id] > least[id]) print id ": " least[id] " to " most[id] " points"
                   if (most[id] > least[id] + 1) failed = 1
               }
               exit failed }' "$dir/marks"
}
