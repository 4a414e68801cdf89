#!/usr/bin/env bats
# A build service reads its log for commands: "::error::", "##[error]", a section of GitLab's. No text of a submission
# may become one: prints, messages of the compiler, names of files, findings. tests/log/obeyed reads a log as the services
# do. ./grade run is no grading: what the program prints is the program's, and a workflow that calls it must stop commands.

# The files of commands that GitHub gives to each step. Nothing in a box learns of them.
setup() {
    dir=$BATS_TEST_TMPDIR
    cd "$dir"
    for name in GITHUB_ENV GITHUB_OUTPUT GITHUB_PATH GITHUB_STEP_SUMMARY; do
        export $name="$dir/$name"
        : >"$dir/$name"
    done
}
root=$PWD
obeyed() { "$root/tests/log/obeyed" "$@"; }
# One command of each kind, as an escaped C string: at the start of a line after each kind of white space, and inside.
commands='\n::error::x\n\t::add-mask::passed\n\u00a0::stop-commands::x\n\u3000 ::warning::x\r::set-env name=A::x\n##[error]x\n##vso[task.complete]\n##teamcity[x]\n\033[0Ksection_start:1:a\r\033[0Kx\n'
kernel() { # kernel [BEFORE [INSIDE]]: writes lab0_coalescing.cu, which is right but for what is put into it
    printf '%s\n' '#include "warpwise.h"' 'LAUNCH(scale, .block = {256});' "${1-}" \
        'extern "C" __global__ void scale(const float *in, float *out, int n)' '{' \
        '    int i = blockIdx.x * blockDim.x + threadIdx.x;' '    if (i < n) out[i] = 2.0f * in[i] + 1.0f;' "${2-}" '}' \
        >lab0_coalescing.cu
}
# Grades, compiles and explains with each compiler: nothing is obeyed, and the annotations are annotations.
nothing_obeyed() { # nothing_obeyed [WORD]: and WORD stands in the report
    local compiler command
    for compiler in nvcc clang; do
        (cd "$root" && tools/setup has $compiler) || continue
        rm -f github gitlab
        "$GRADE" lab0 lab0_coalescing.cu --compiler $compiler --github github --gitlab gitlab >log 2>&1 || [ $? -eq 1 ]
        grep -qF -- "${1-lab0}" log || { cat log; return 1; }
        "$GRADE" compile lab0 lab0_coalescing.cu --compiler $compiler >>log 2>&1 || [ $? -eq 1 ]
        obeyed <log || { echo "$compiler"; return 1; }
        obeyed github <github
        jq -e 'all(.[]; (.fingerprint | length == 16) and .location.lines.begin >= 1) and (map(.fingerprint) | unique | length) == length' gitlab
    done
    "$GRADE" explain lab0 lab0_coalescing.cu >log 2>&1 || [ $? -eq 1 ]
    obeyed <log
    [ ! -s GITHUB_ENV ] && [ ! -s GITHUB_OUTPUT ] && [ ! -s GITHUB_PATH ] && [ ! -s GITHUB_STEP_SUMMARY ]
}

@test "the reader of the tests finds each command" {
    for command in "::error::x" $'\u00a0::error::x' $'a\r::debug::x' "a ##[error]x" "##vso[x]" $'\033[0Ksection_start:1:a\r\033[0K'; do
        run obeyed <<<"$command"
        [ "$status" -eq 1 ] || { echo "$command"; return 1; }
    done
    obeyed <<<"std::move ::x ## [y] # [z]"
}

@test "a kernel's printf" {
    kernel '' "    if (i == 0) printf(\"$commands\");"
    nothing_obeyed ':error::x'
}

# bats test_tags=rest
@test "what the source makes the compiler say" {
    kernel "#pragma message(\"$commands\")
#warning ::error::x ##[error]x"
    nothing_obeyed
    kernel "#error ::error::x ##[error]x
static_assert(false, \"$commands\");"
    nothing_obeyed '#[error]x'
    kernel "[[deprecated(\"$commands\")]] __device__ int old() { return 1; }" '    if (i < n) out[i] = old();'
    nothing_obeyed deprecated
    kernel "#line 7 \"$commands\"
::no_such_type ##[error]x;"
    nothing_obeyed
}

# bats test_tags=rest
@test "a finding's text" {
    kernel '' "    assert(i < 5 && \"$commands\");"
    nothing_obeyed assert
    kernel '' '    if (i == 3) out[1 << 29] = 1.0f; // ##[error]x ::error::x'
    nothing_obeyed 'out of bounds'
}

@test "names of headers, files and folders" {
    echo '::error x; // ##[error]x' >x.h
    kernel '#include "x.h"
#include "::error::y.h"'
    nothing_obeyed
    kernel
    for name in '::error::x.cu' $'\n::error::##[error]x.cu' $'\u3000::error::x.cu' $'\033[0Ksection_start:1:a\r\033[0K.cu'; do
        cp lab0_coalescing.cu "$name"
        for file in "$name" "no$name" "$name/x"; do
            "$GRADE" lab0 "$file" --github github >log 2>&1 || [ $? -eq 2 ]
            obeyed <log || { printf '%q\n' "$file"; return 1; }
        done
    done
    [ ! -s github ] # no annotation, because it passed
}

# bats test_tags=rest
@test "a host lab's program: its output, and the files of commands" {
    {
        echo '#include <cstdio>
#include <cstdlib>
static bool said = [] {'
        echo "    printf(\"$commands\"); fprintf(stderr, \"$commands\"); fflush(stdout);"
        echo '    const char *files[] = {getenv("GITHUB_ENV"), getenv("GITHUB_OUTPUT"), "'"$dir"'/GITHUB_ENV", "'"$dir"'/GITHUB_OUTPUT"};
    for (const char *name : files)
        if (FILE *file = name ? fopen(name, "a") : nullptr) { fputs("PATH=/tmp\n", file); fclose(file); }
    for (int fd = 3; fd < 64; ++fd)
        if (FILE *file = fdopen(fd, "w")) { fputs("\n::error::x\n", file); fflush(file); }
    return true;
}();'
        cat "$root/reference/lab6_streams.cu"
    } >lab6_streams.cu
    run "$GRADE" lab6 lab6_streams.cu --github github
    [ "$status" -le 2 ]
    obeyed <<<"$output"
    [ ! -s github ] || obeyed github <github
    [ ! -s GITHUB_ENV ] && [ ! -s GITHUB_OUTPUT ]
}

@test "annotations: the compiler's messages, the findings with their lines, and what to do next" {
    kernel '' "    int unused = q, other = r;"
    "$GRADE" lab0 lab0_coalescing.cu --github github --gitlab gitlab || [ $? -eq 1 ]
    run obeyed github <github
    [ "$(grep -c '^error | lab0_coalescing.cu | 8 | lab0: ' <<<"$output")" -eq 2 ]
    [[ ${lines[0]} == "error | lab0_coalescing.cu |  | lab0: 0 of 100, not passed | "* ]]
    [ "$(jq -c '[.[] | select(.check_name == "compiler") | .severity, .location.lines.begin]' gitlab)" = '["major",8,"major",8]' ]
    # What has no line of its own stands at the kernel's definition, as in the report.
    "$GRADE" lab0 "$root/labs/lab0_coalescing/wrong/half_covered.cu" --github github >log || [ $? -eq 1 ]
    line=$(sed -n 's/.*half_covered.cu:\([0-9]*\):[0-9]*: error: output never written: .*/\1/p' log)
    grep -q "^error | .*/half_covered.cu | $line | lab0: output never written | " <(obeyed github <github)
    echo '__device__ void set(float *out, int i) {
    out[i + (1 << 29)] = 1.0f;
}' >mine.h
    kernel '#include "mine.h"' '    set(out, i);'
    "$GRADE" lab0 lab0_coalescing.cu --github github --gitlab gitlab || [ $? -eq 1 ]
    run obeyed github <github
    [[ $output == *$'\nerror | mine.h | 2 | lab0: out of bounds | '*$'\nhint: '* ]]
    [ "$(jq -r '.[] | select(.check_name == "out_of_bounds") | .location.path' gitlab)" = mine.h ]
    # 100 %, "a, b": what GitHub would read as the end of a property or as a line.
    mkdir 'a, b:%0A'
    cp lab0_coalescing.cu mine.h 'a, b:%0A'
    "$GRADE" lab0 'a, b:%0A/lab0_coalescing.cu' --github github || [ $? -eq 1 ]
    run obeyed github <github
    [[ $output == *'| a, b:%0A/mine.h | 2 |'* ]]
    cp "$root/reference/lab0_coalescing.cu" .
    "$GRADE" lab0 lab0_coalescing.cu --github github --gitlab gitlab
    [ ! -s github ] && [ "$(jq -c . gitlab)" = '[]' ]
}
