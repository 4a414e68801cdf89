#!/usr/bin/env bats
# make dist and make gradescope: what a student receives has no line of a solution in it, and grades where nothing but
# make and clang is installed; the course system's archive runs in a tree and under restrictions like that system's.
# needs: carry/all tests/card/libcuda.so.1 tests/card/libnvidia-ml.so.1

setup_file() {
    [[ $BUILD == */release ]] || return 0
    tools/gradescope "$BUILD" "$BATS_FILE_TMPDIR/autograder.zip" lab0 4711
    unzip -q "$BATS_FILE_TMPDIR/autograder.zip" -d "$BATS_FILE_TMPDIR/zip"
    tar -C "$BATS_FILE_TMPDIR" -xzf "$BATS_FILE_TMPDIR/zip/kit.tar.gz" # what make dist makes
}
setup() {
    [[ $BUILD == */release ]] || skip "only the release build is packed"
    dir=$BATS_TEST_TMPDIR kit=$BATS_FILE_TMPDIR/warpwise
}

# Lines that are long enough to tell something, without the space around them.
lines() { cat "$@" | sed -E 's/^[[:space:]]+//; s/[[:space:]]+$//' | awk 'length > 20' | sort -u; }
# Those that stand in none of the texts written for students: stubs, headers, handouts, and the labs' hints.
secret() {
    cat student_template/*.* grader/kit/*.h handouts/*.md labs/*/main.h >"$dir/told"
    cat labs/*/lab.c | tr '\n' ' ' | sed 's/" *"//g' >>"$dir/told" # a hint is written in pieces
    lines "$@" | awk 'FNR == NR { told = told "\n" $0; next } !index(told, $0)' "$dir/told" -
}
solutions=(reference/*.cu reference/ladder/*/*.cu labs/*/wrong/*.cu)

@test "no line of a reference, a ladder or a wrong kernel is in the kit, comments among them" {
    secret "${solutions[@]}" >"$dir/secret"
    [ "$(wc -l <"$dir/secret")" -gt 1000 ]
    run grep -raoFf "$dir/secret" "$kit"
    [ "$status" -eq 1 ] || { echo "$output"; return 1; }
    # The search finds one where there is one, in a program too.
    { cat "$kit/build/$(uname -m)/runner-sim"; sed -n 12p "$dir/secret"; } >"$dir/leak"
    grep -qaFf "$dir/secret" "$dir/leak"
}

@test "the texts written for students quote at most a quarter of a reference" {
    for file in reference/*.cu; do
        own=$(secret "$file" | wc -l) all=$(lines "$file" | wc -l)
        lines student_template/*.cu grader/kit/*.h >"$dir/stubs"
        given=$(lines "$file" | grep -cxFf "$dir/stubs" || true)
        [ $((4 * (all - given - own))) -le $((all - given)) ] || { echo "$file: $own of $((all - given)) lines are secret"; return 1; }
    done
}

@test "nothing is in the kit but what its list names, and no baseline's source" {
    ! find "$kit" -name '*.cu' -not -path '*/student_template/*' -not -path '*/student/*' | grep .
    ! find "$kit" -path '*reference*' -o -path '*wrong*' -o -path '*instructors*' -o -path '*answers*' -o -name '*.c' | grep .
    [ "$(cd "$kit" && ls | tr '\n' ' ')" = "LICENSE Makefile README.md build grade grader handouts labs student student_template tools " ]
    cmp student_template/.devcontainer/devcontainer.json "$kit/.devcontainer/devcontainer.json"
    [ "$(ls -d "$kit"/labs/*/ | wc -l)" -eq "$(ls -d labs/*/ | wc -l)" ]
    for folder in "$kit" "$kit/student"; do cmp student_template/.vscode/tasks.json "$folder/.vscode/tasks.json"; done
}

@test "the programs need no library, or a C library of 2.34" {
    run ldd "$kit/build/$(uname -m)/grade" "$kit/build/$(uname -m)/runner-sim"
    [ "$(grep -c 'not a dynamic executable' <<<"$output")" = 2 ]
    for file in "$kit"/build/$(uname -m)/cudart/* "$kit"/labs/*/baseline.$(uname -m).program; do
        ! ldd "$file" | grep -vE 'linux-vdso|lib(c|m|stdc\+\+|gcc_s)\.so|ld-linux|libcudart'
        newest=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -1)
        [ "$(printf '%s\n' "$newest" GLIBC_2.34 | sort -V | tail -1)" = GLIBC_2.34 ] || { echo "$file: $newest"; return 1; }
    done
}

# Lab 4's baseline has static variables, whose names nvcc makes unique; labs 6 and 8 are programs with debug information.
@test "a baseline that is compiled again, in another folder and process, has the same bytes" {
    local compiler lab sandbox
    [ -z "$(find "$kit/labs" -name 'baseline.*.program' -exec readelf -n {} + | grep -i 'build id')" ]
    for sandbox in landlock none; do # where process numbers differ, too
        export TMPDIR=$dir/$sandbox WARPWISE_SANDBOX=$sandbox
        mkdir "$TMPDIR"
        for compiler in clang nvcc; do
            tools/setup has $compiler || continue
            for lab in lab4_atomics lab6_streams; do
                "$GRADE" compile "${lab%%_*}" "labs/$lab/baseline.cu" --compiler $compiler -o "$TMPDIR/$lab.$compiler"
            done
            strip "$TMPDIR/lab6_streams.$compiler"
        done
    done
    diff -r "$dir/landlock" "$dir/none"
}

# A PATH with make, clang and the shell's own tools alone.
bare_path() {
    mkdir "$dir/bin"
    for program in make bash sh env cat cmp cp mv mkdir find sort dirname readlink uname; do ln -s "$(type -P $program)" "$dir/bin/"; done
    ln -s "$(type -P clang || compgen -c clang- | grep -E '^clang-[0-9]+$' | sort | tail -1 | xargs which)" "$dir/bin/clang"
}

@test "with make and clang alone: make lab3 and ./grade lab3 work as soon as it is unpacked, and a baseline is a baseline" {
    tools/setup has clang || skip "no clang"
    bare_path
    export WARPWISE_COMPILER=clang
    cp -r "$kit" "$dir/"
    cd "$dir/warpwise"
    run env PATH="$dir/bin" make lab3
    [ "$status" -eq 0 ]
    [[ $output == *"lab3_syncthreads.cu' compiles"* ]]
    run env PATH="$dir/bin" ./grade lab3
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"score "* ]]
    run env PATH="$dir/bin" make -C student hint3
    [ "$status" -eq 0 ]
    # The figures are those of the whole kit: the baseline's image is the same.
    run "$GRADE" lab0 "$BATS_TEST_DIRNAME/../../reference/lab0_coalescing.cu" --engine sim
    whole=$(grep '^speed' <<<"$output")
    run env PATH="$dir/bin" ./grade lab0 "$BATS_TEST_DIRNAME/../../reference/lab0_coalescing.cu"
    [ "$(grep '^speed' <<<"$output")" = "$whole" ]
}

@test "without a compiler make setup installs one" {
    bare_path
    rm "$dir/bin/clang"
    for program in id sed grep awk tr cut paste mktemp rm tail; do ln -s "$(type -P $program)" "$dir/bin/"; done
    printf '#!/bin/sh\necho "$*" >>%s/calls\nprintf "" >%s/bin/clang\nchmod +x %s/bin/clang\n' "$dir" "$dir" "$dir" >"$dir/bin/apt-get"
    printf '#!/bin/sh\n[ $1 = -n ] || { shift; exec "$@"; }\n' >"$dir/bin/sudo"
    ln -s "$(type -P chmod)" "$dir/bin/"
    chmod +x "$dir/bin/sudo" "$dir/bin/apt-get"
    printf 'ID=debian\n' >"$dir/os-release"
    run env PATH="$dir/bin" CUDA_HOME=/nonexistent OS_RELEASE="$dir/os-release" make -C "$kit" setup
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(cat "$dir/calls")" = "install -y --no-install-recommends clang" ]
}

@test "a student's own card measures the speed, against the compiled baseline" {
    tools/setup has clang || skip "no clang"
    [ ! -e /dev/nvidiactl ] || skip "there is a true card"
    ln -s "$PWD/$BUILD"/tests/card/lib*.so.1 "$dir/"
    export LD_LIBRARY_PATH=$dir WARPWISE_COMPILER=clang
    run "$kit/grade" lab5 reference/lab5_syncwarp.cu --no-sandbox
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"measured on Fake One"* ]]
    run "$kit/grade" calibrate --no-sandbox
    [ "$status" -eq 2 ]
    [[ $output == *"ask your course for its file 'calibration.json'"* ]]
    run env -u LD_LIBRARY_PATH "$kit/grade" lab5 reference/lab5_syncwarp.cu
    [[ $output == *"simulated speed"* ]]
}

@test "each compiled baseline is for cards from compute capability 7.5 on, and for old drivers" {
    for image in "$kit"/labs/*/baseline.*.ptx; do
        grep -qx '\.version 7.0' "$image" && grep -q '^\.target sm_75' "$image" || { echo "$image"; return 1; }
        ptxas=$(type -P ptxas || echo /usr/local/cuda/bin/ptxas)
        [ ! -x "$ptxas" ] || "$ptxas" -arch=sm_75 "$image" -o "$dir/cubin"
    done
}

@test "the kit has each baseline's record, and a host lab's baseline as a program for where no record matches" {
    for record in labs/*/baseline.record; do cmp "$record" "$kit/$record"; done
    run env -u SUBMISSION "$kit/grade" lab6 reference/lab6_streams.cu --json "$dir/report.json"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"× the baseline"* ]]
    [ "$(jq -r .speed.baseline_source "$dir/report.json")" = record ]
    cp -r "$kit" "$dir/"
    rm "$dir"/warpwise/labs/lab6_streams/baseline.record
    run env -u SUBMISSION "$dir/warpwise/grade" lab6 reference/lab6_streams.cu --json "$dir/report.json"
    [ "$status" -eq 0 ]
    [ "$(jq -r .speed.baseline_source "$dir/report.json")" = run ]
}

@test "gradescope: unpacked, set up and run as the system does, without network, bubblewrap or namespaces" {
    tools/setup has clang || skip "no clang"
    local at=$dir/autograder
    export AUTOGRADER=$at WARPWISE_SANDBOX=landlock WARPWISE_COMPILER=clang
    offline=()
    ! unshare -n true 2>/dev/null || offline=(unshare -n)
    mkdir -p "$at/submission" "$at/results"
    cp -r "$BATS_FILE_TMPDIR/zip" "$at/source"
    cp "$at/source/run_autograder" "$at/"
    "${offline[@]}" bash "$at/source/setup.sh"
    cp reference/lab0_coalescing.cu "$at/submission/anything.cu"
    (cd / && "${offline[@]}" "$at/run_autograder")
    jq -e '.score == 100 and .extra_data.lab == "lab0" and .extra_data.sandbox != "namespaces"' "$at/results/results.json"
    rm "$at/submission/anything.cu" "$at/results/results.json"
    cp student_template/lab0_coalescing.cu "$at/submission/"
    (cd / && "${offline[@]}" "$at/run_autograder")
    jq -e '.score > 0 and .score < 100' "$at/results/results.json"
    rm "$at/submission/lab0_coalescing.cu" "$at/results/results.json"
    mkdir -p "$at/submission/my work/.git" "$at/submission/__MACOSX/my work" # in a subfolder, as a zip brings it
    cp reference/lab0_coalescing.cu "$at/submission/my work/mine.cu"
    touch "$at/submission/my work/.git/x.cu" "$at/submission/__MACOSX/my work/._mine.cu"
    (cd / && "${offline[@]}" "$at/run_autograder")
    jq -e '.score == 100' "$at/results/results.json"
    rm -r "$at"/submission/*
    "$at/run_autograder"
    jq -e '.score == 0 and (.output | contains("lab0_coalescing.cu"))' "$at/results/results.json"
    # A grader that cannot grade leaves no mark.
    rm -rf "$at/results/results.json" "$at/source/warpwise/build/$(uname -m)/runner-sim"
    cp student_template/lab0_coalescing.cu "$at/submission/"
    run "$at/run_autograder"
    [ "$status" -eq 2 ]
    [ ! -e "$at/results/results.json" ]
}

@test "autolab: a file's name is no command" {
    local name
    sed 's/@LAB@/lab0/; s/@SEED@/77/' tools/kit/autolab/autograde-Makefile >"$dir/Makefile"
    mkdir "$dir/warpwise"
    printf '#!/bin/sh\nprintf "[%%s]" "$@"\n' >"$dir/warpwise/grade" && chmod +x "$dir/warpwise/grade"
    (cd "$dir" && tar cf autograde.tar warpwise)
    for name in "lab0_';>pwned;printf\${IFS}'x.cu" 'lab0_$(touch${IFS}pwned).cu' 'lab0_`touch${IFS}pwned`".cu' lab0_coalescing.cu; do
        touch "$dir/$name"
        run make -s -C "$dir" autograde
        echo "$output"
        [ "$status" -eq 0 ] && [ ! -e "$dir/pwned" ]
        [[ $output == *"[$name]"* ]]
        rm "$dir/$name"
    done
}

@test "autolab: make, as the system runs it, ends with the line of scores" {
    tools/setup has clang || skip "no clang"
    local at=$dir/autolab
    tools/autolab "$BUILD" "$at" lab0 4711
    mkdir "$at/job"
    cp "$at/autograde.tar" "$at/job/"
    cp "$at/autograde-Makefile" "$at/job/Makefile"
    cp reference/lab0_coalescing.cu "$at/job/"
    WARPWISE_COMPILER=clang make -C "$at/job" --no-print-directory >"$dir/out"
    tail -n 1 "$dir/out" | jq -e '.scores == {builds: 5, correct: 40, safe: 20, technique: 15, speed: 20}'
    rm "$at/job/warpwise/build/$(uname -m)/runner-sim"
    tar -C "$at/job" --delete -f "$at/job/autograde.tar" warpwise/build/$(uname -m)/runner-sim
    WARPWISE_COMPILER=clang run make -C "$at/job" --no-print-directory
    [ "$status" -ne 0 ]
    ! tail -n 1 <<<"$output" | jq -e .scores
    run tools/autolab "$BUILD" "$at" lab99
    [ "$status" -eq 2 ]
}
