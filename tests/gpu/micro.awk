# Compares what tests/gpu/micro prints with a table of it: awk -f micro.awk TABLE OUTPUT. Speaks TAP, a test a row that
# both have. Rows are the same if they are up to the first colon that a space follows. A number may be off by 5 %, or by
# 3 if it is small; what times a host, or contends for one place, by 25 %; loads in step, when DRAM answers, and loads
# that the L2 answers under load, by 10 %: how far its two halves are differs from one H200 to another. Which lines are
# in the far half (a first walk) differs altogether and is not compared.
function name(line) { sub(/: .*/, "", line); return line }
function numbers(line, n, word, count, i)
{
    line = substr(line, line ~ /first walk/ ? index(line, "; second walk") : length(name(line)) + 1)
    count = split(line, word, /[^0-9.]+/)
    for (i = delete_all(n); ++i <= count;) if (word[i] ~ /^[0-9]+(\.[0-9]+)?$/) n[++n[0]] = word[i]
}
function delete_all(n) { split("", n); n[0] = 0; return 0 }
function off(a, b) { return a > b ? a - b : b - a }
FNR == 1 { file++ }
file == 1 && /tests\/gpu\/micro prints/ { begun = 1 }
file == 1 { if (begun && /:/ && !/^#/) table[name($0)] = $0; next }
name($0) in table {
    numbers(table[name($0)], was)
    numbers($0, is)
    bad = was[0] != is[0]
    loose = /^(malloc|printf|empty|launch|frame|footprint|global red|shared (float|double))/ ? 0.25 : /^(in step|under load, L2)/ ? 0.1 : 0.05
    for (i = 1; i <= was[0]; i++) if (off(was[i], is[i]) > loose * was[i] && off(was[i], is[i]) > 3) bad = 1
    printf "%sok - %s\n", bad ? "not " : "", name($0)
    if (bad) printf "# was %s\n# is  %s\n", table[name($0)], $0
}
