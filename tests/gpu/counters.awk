# Compares the simulator's counters with Nsight Compute's: awk [-v record=…] -f counters.awk EXCEPTIONS SIM NCU
#
# SIM: "FILE KERNEL METRIC VALUE" lines in the order of the launches; NCU: its raw page as CSV, a column a metric, a row a
# launch, the second row holds units. Requests, sectors and shared accesses are functions of the program and its
# addresses: those must be equal. Wavefronts carry the arbitration of the moment, and so do the sectors of atomics, which
# merge with those under way; instructions are the assembler's, caches are shared with the flush: those are told, not
# judged (make fidelity has figures for them). EXCEPTIONS: "FILE KERNEL METRIC" lines of what is told only, too.
function exact(metric) {
    return metric ~ /^l1tex__t_(requests|sectors)_pipe_lsu_mem_(global|local)_op_(ld|st)\.sum$/ ||
           metric ~ /^l1tex__t_requests_pipe_lsu_mem_global_op_(red|atom)\.sum$/ ||
           metric ~ /^smsp__inst_executed_op_shared_/
}
function cells(line, out,   n, i) {
    sub(/^"/, "", line); sub(/"\r?$/, "", line)
    n = split(line, out, "\",\"")
    return n
}
FNR == 1 { ++part }
part == 1 {
    if (!/^#/) excepted[$1, $2, $3]
    next
}
part == 2 {
    if ($3 == "smsp__inst_executed.sum") {
        file[++launches] = $1
        kernel[launches] = $2
        if (!($1 in wanted)) order[++files] = $1
        ++wanted[$1]
    }
    sim[launches, $3] = $4
    next
}
/^"ID"/ { columns = cells($0, name); units = 1; next }
!columns || !/^"/ { next }
units { units = 0; next }
{
    n = cells($0, cell)
    for (i = 1; i <= n; ++i) if (name[i] == "Kernel Name") called = cell[i]
    sub(/\(.*/, "", called)
    if (called != kernel[seen + 1]) next # the driver's own, such as a memset
    from = file[++seen]
    ++found[from]
    for (i = 1; i <= n; ++i) {
        if (!((seen, name[i]) in sim)) continue
        value = cell[i]; gsub(/,/, "", value)
        ours = sim[seen, name[i]]
        if (record != "") print from, called, name[i], ours, value >>record
        if (value + 0 == ours + 0) { same[from] += exact(name[i]); continue }
        line = "# " called " " name[i] ": " ours ", Nsight Compute " value "\n"
        if (exact(name[i]) && !((from, called, name[i]) in excepted)) differ[from] = differ[from] line; else told[from] = told[from] line
    }
}
END {
    if (!files) print "not ok - nothing ran on the simulator"
    for (i = 1; i <= files; ++i) {
        from = order[i]
        printf "%s", told[from]
        if (found[from] != wanted[from])
            print "not ok - " from ": Nsight Compute saw " found[from] + 0 " of " wanted[from] " launches"
        else
            printf "%s - %s: %d counters that are functions of the program are Nsight Compute's\n%s",
                   differ[from] == "" ? "ok" : "not ok", from, same[from], differ[from]
    }
}
