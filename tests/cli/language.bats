#!/usr/bin/env bats
# Messages in the reader's language. What programs read stays as it is.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    command -v msgfmt >/dev/null || skip "this build has no catalogues: gettext is missing"
    export SUBMISSION=$BATS_TEST_TMPDIR
    wrong=labs/lab0_coalescing/baseline.cu
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }

@test "every message has its translation, with the same format" {
    run tools/messages check
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "LANG chooses the language, LC_ALL before it, on a system that does not have the locale" {
    LC_ALL= LANG=ko_KR.UTF-8 run "$GRADE" hint lab3
    has "힌트 1/3"
    LC_ALL=C.UTF-8 LANG=ko_KR.UTF-8 run "$GRADE" hint lab3
    has "hint"
    LC_ALL= LANG=de_DE.UTF-8 run "$GRADE" hint lab3
    has "hint"
}

@test "a report is Korean from its first line to its last" {
    LC_ALL=ko_KR.UTF-8 run "$GRADE" lab0 "$wrong" --color=never
    [ "$status" -eq 1 ]
    has "케이스"
    has "점수"
    has "다음"
    ! grep -qE '^(file|cases|speed|technique|score|next) ' <<<"$output"
}

# Lines of a report without a Korean sign that have three English words in a row; the student's source is quoted.
english_lines() { sed -E -e '/^ *[0-9]* \|/d' -e "s/'[^']*'//g" | LC_ALL=C.UTF-8 grep -vP '[\x{AC00}-\x{D7A3}]' | grep -E '[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}'; }

@test "so are findings and what to do about them, a launch that is refused, a deadlock, a file that is none" {
    local kernel=$BATS_TEST_TMPDIR/k.cu
    hardly() { LC_ALL=ko_KR.UTF-8 run "$GRADE" lab0 "$kernel" --color=never; [ "$status" -eq 1 ]; ! english_lines <<<"$output"; }
    begin() { printf '%s\n' '#include "warpwise.h"' "LAUNCH(scale, .block = {$1});" 'extern "C" __global__ void scale(const float *in, float *out, int n)' >"$kernel"; }
    begin 256 && echo '{ int i = blockIdx.x * 256 + threadIdx.x; out[i] = in[i]; }' >>"$kernel"
    hardly
    has "배열의 크기"
    begin 2048 && echo '{ }' >>"$kernel"
    hardly
    has "2048"
    begin 256 && echo '{ if (threadIdx.x < 128) asm volatile("bar.sync 1, 256;"); else asm volatile("bar.sync 2, 256;"); if (n < 0) out[0] = in[0]; }' >>"$kernel"
    hardly
    has "기다립니다"
    begin 256 && echo '__launch_bounds__(64)' >>"$kernel"
    sed -i -e '$d' -e 's/__global__ void/__global__ void __launch_bounds__(64)/' "$kernel" && echo '{ if (n < 0) out[0] = in[0]; }' >>"$kernel"
    hardly
    has "__launch_bounds__"
    : >"$kernel"
    hardly
    has "빈 파일"
}

# bats test_tags=rest
@test "so is what parser, checker and lowering of PTX refuse, in whichever process; the reason behind it is the same" {
    local kernel=$BATS_TEST_TMPDIR/k.cu
    refuses() { # refuses REASON BODY KOREAN
        printf '%s\n' '#include "warpwise.h"' 'LAUNCH(scale, .block = {256});' 'extern "C" __device__ float other(float);' \
            'extern "C" __global__ void scale(const float *in, float *out, int n)' "{ $2 }" >"$kernel"
        LC_ALL=C.UTF-8 run "$GRADE" lab0 "$kernel" --color=never --json "$BATS_TEST_TMPDIR/en.json"
        [ "$status" -eq 1 ]
        LC_ALL=ko_KR.UTF-8 run "$GRADE" lab0 "$kernel" --color=never --json "$BATS_TEST_TMPDIR/ko.json"
        [ "$status" -eq 1 ]
        ! english_lines <<<"$output"
        output=$(tr -s ' \n' ' ' <<<"$output")
        has "$3"
        [ "$(jq -rs '[.[].refused[0]] | unique | join(", ")' "$BATS_TEST_TMPDIR"/{en,ko}.json)" = "$1" ]
    }
    refuses "not supported" 'asm volatile("wgmma.fence.sync.aligned;");' "'wgmma.fence.sync.aligned'은(는) 지원하지 않습니다"
    refuses "not supported" 'asm volatile("bar.sync %f0;");' "'%f0'은 선언되지 않았고"
    refuses "not supported" 'asm volatile("{ .reg .b32 a; mov.b32 a, 1.0; }");' "상수"
    refuses "bad launch" 'out[0] = other(in[0]);' "'other'에 본문이 없습니다"
    printf '%s\n' '#include <stdio.h>' '__global__ void k() { asm volatile("wgmma.fence.sync.aligned;"); }' 'int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }' >"$kernel"
    LC_ALL=ko_KR.UTF-8 run "$GRADE" run "$kernel"
    has "'wgmma.fence.sync.aligned'은(는) 지원하지 않습니다"
    LC_ALL=C.UTF-8 run "$GRADE" run "$kernel"
    has "instruction 'wgmma.fence.sync.aligned' is not supported"
    [[ ! $output =~ [[:cntrl:]]{2} ]]
}

@test "errors are Korean, and the exit code is the same" {
    LC_ALL=ko_KR.UTF-8 run "$GRADE" nonsense
    [ "$status" -eq 2 ]
    has "실습이나 명령이 없습니다"
}

# bats test_tags=rest
@test "keys, words and numbers of JSON do not depend on the language" {
    LC_ALL=C.UTF-8 "$GRADE" lab0 "$wrong" --json "$BATS_TEST_TMPDIR/en" >/dev/null || true
    LC_ALL=ko_KR.UTF-8 "$GRADE" lab0 "$wrong" --json "$BATS_TEST_TMPDIR/ko" >/dev/null || true
    diff <(jq '[paths | map(tostring) | join(".")], .refused, [.. | numbers]' "$BATS_TEST_TMPDIR/en") \
        <(jq '[paths | map(tostring) | join(".")], .refused, [.. | numbers]' "$BATS_TEST_TMPDIR/ko")
}

@test "the manual page and JUnit's sentences are Korean, their markup is not" {
    LC_ALL=ko_KR.UTF-8 run "$GRADE" manual
    [ "$status" -eq 0 ]
    has ".SH 명령"
    has "이웃한 스레드는"
    ! grep -qE '^(\.SH )?[A-Z][a-z]+ [a-z]+ [a-z]+' <<<"$output" # no English sentence
    LC_ALL=ko_KR.UTF-8 run "$GRADE" lab0 "$wrong" --junit -
    has '<testcase classname="lab0.speed" name="최소 속도 향상"'
    ! grep -qE 'message="[A-Za-z ]+"|<testcase classname="[a-z0-9.]*" name="[A-Za-z ]+"' <<<"$output" || { echo "$output"; return 1; }
}

@test "particles follow the sound of what was filled in" {
    LC_ALL=ko_KR.UTF-8 run "$GRADE" lab3 labs/lab3_syncthreads/wrong/02_one_barrier_a_step.cu --color=never
    has "(32,0,0)이 tile[31]에서"
    has "out[32]가 "
    [[ $output != *"(32,0,0)이(가)"* ]]
}
