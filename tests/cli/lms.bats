#!/usr/bin/env bats
# ./grade LAB --lms SYSTEM: each file held against the rules that its system states.

setup() {
    dir=$BATS_TEST_TMPDIR
    mkdir "$dir/student"
    export SUBMISSION=$dir/student
    export CLASSROOM=cs ASSIGNMENT=lab0 SUBMISSION_TAG=submit/1 COMMIT_URL=https://c/1 RELEASE_URL=https://r/1
}
ref=reference/lab0_coalescing.cu
lms() { run "$GRADE" lab0 "$1" --engine sim --lms "$2" -o "$dir/result"; echo "$output"; }
rule() { jq -e "$1" "$dir/result" >/dev/null || { echo "against the rule: $1"; cat "$dir/result"; return 1; }; }

# What all have in common: the passing file is fully marked; one that does not build is graded too (exit 0), with 0.
each() { # each SYSTEM 'jq: points' 'jq: the format'
    lms "$ref" "$1"
    [ "$status" -eq 0 ]
    [ "$(jq -s "map($2) | add" "$dir/result")" = 100 ]
    rule "$3"
    echo nonsense >"$dir/nonsense.cu"
    lms "$dir/nonsense.cu" "$1"
    [ "$status" -eq 0 ]
    [ "$(jq -s "map($2) | add" "$dir/result")" = 0 ]
    rule "$3"
    grep -q 'confined by: ' "$dir/result"
}

@test "gradescope: tests with points that add up to the score, known formats and visibilities" {
    each gradescope .score '
        (.score == ([.tests[].score] | add)) and ([.tests[].max_score] | add == 100)
        and (keys - ["score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
            "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"] == [])
        and all(.tests[]; (keys - ["score", "max_score", "status", "name", "name_format", "number", "output",
            "output_format", "tags", "visibility", "extra_data"] == [])
            and (.status | IN("passed", "failed")) and .score <= .max_score and .score >= 0
            and (.output_format | IN("text", "html", "simple_format", "md", "ansi")) and (.output | type == "string"))
        and (.visibility | IN("visible", "hidden", "after_due_date", "after_published"))
        and all(.leaderboard[]?; has("name") and has("value"))
        and (.extra_data.sandbox | type == "string")'
}

@test "prairielearn: a share from 0 to 1, points for every test, below a megabyte" {
    each prairielearn '.score * 100 | round' '
        .gradable == true and .score >= 0 and .score <= 1
        and (keys - ["gradable", "score", "message", "output", "images", "format_errors", "tests"] == [])
        and all(.tests[]; (.name | length > 0) and (.points | type == "number") and (.max_points | type == "number")
            and .points <= .max_points and (keys - ["name", "description", "points", "max_points", "message", "output", "images"] == []))
        and (([.tests[].points] | add) / ([.tests[].max_points] | add) - .score | fabs < 1e-9)'
    [ "$(wc -c <"$dir/result")" -lt 1000000 ]
}

@test "autolab: the last line has the scores, the one before the feedback" {
    each autolab '.scores // {} | add // 0' '
        if has("scores") then (.scores | keys == ["builds", "correct", "safe", "speed", "technique"]) and all(.scores[]; type == "number")
            and (.scoreboard | type == "array" and all(.[]; type == "number"))
        else ._presentation == "semantic" and (. as $all | all(.stages[]; $all[.] | type == "object")) end'
    [ "$(wc -l <"$dir/result")" -eq 2 ]
    [[ $(tail -n 1 "$dir/result") == '{"scores": {'* ]]
    [[ $(head -n 1 "$dir/result") == '{"_presentation": "semantic"'* ]]
    # Without -o it is what standard output ends with, behind the report.
    run "$GRADE" lab0 "$dir/nonsense.cu" --engine sim --lms autolab
    [ "$status" -eq 0 ]
    [ "$(tail -n 1 <<<"$output" | jq '.scores | add')" = 0 ]
    [[ $output == *"score "* ]]
}

@test "classroom50: result/v1 with what the runner told, whole scores, a time in UTC" {
    each classroom50 .score '
        .schema == "classroom50/result/v1" and .classroom == "cs" and .assignment == "lab0" and .submission == "submit/1"
        and .commit == "https://c/1" and .release == "https://r/1" and .review == .commit
        and (.datetime | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"))
        and (keys - ["schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime", "score",
            "max-score", "tests"] == [])
        and .score == ([.tests[].score] | add) and ."max-score" == ([.tests[]."max-score"] | add)
        and all(.tests[]; (."test-name" | length > 0) and (.passed | type == "boolean") and .score == (.score | floor))'
    unset ASSIGNMENT
    lms "$ref" classroom50
    [ "$status" -eq 2 ]
    [[ $output == *'$ASSIGNMENT'* ]]
}

@test "hidden cases say that not all are right, and nothing else" {
    lms tests/cheats/hidden/sizes_by_outputs.cu gradescope
    [ "$status" -eq 0 ]
    rule '.score < 100'
    jq -r '.tests[].output' "$dir/result" | grep 'hidden cases' >"$dir/said"
    [ "$(sort -u "$dir/said")" = "hidden cases: not all right" ]
}

@test "without a system of that name, or where nothing can be written: exit 2 and no mark" {
    lms "$ref" blackboard
    [ "$status" -eq 2 ]
    [[ $output == *"autolab, classroom50, gradescope, prairielearn"* ]]
    echo nonsense >"$dir/nonsense.cu"
    run "$GRADE" lab0 "$dir/nonsense.cu" --engine sim --lms gradescope -o "$dir/nowhere/results.json"
    [ "$status" -eq 2 ]
    [[ $output == *"cannot write"* ]]
    lms "$dir/absent.cu" gradescope
    [ "$status" -eq 2 ]
    [ ! -e "$dir/result" ]
}
