# Compares the simulator's counters with Nsight Compute's: awk -v file=… [-v record=…] -f counters.awk SIM NCU
#
# SIM: "KERNEL METRIC VALUE" lines in the order of the launches; NCU: its raw page as CSV, a column a metric, a row a
# launch, the second row holds units. Requests, sectors and shared accesses are functions of the program and its
# addresses: those must be equal. Wavefronts carry the arbitration of the moment, and so do the sectors of atomics, which
# merge with those under way; instructions are the assembler's, caches are shared with the flush: those are told, not
# judged (make fidelity has figures for them).
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
FNR == NR {
    if ($2 == "smsp__inst_executed.sum") ++launches
    kernel[launches] = $1
    sim[launches, $2] = $3
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
    ++seen
    for (i = 1; i <= n; ++i) {
        if (!((seen, name[i]) in sim)) continue
        value = cell[i]; gsub(/,/, "", value)
        ours = sim[seen, name[i]]
        if (record != "") print file, called, name[i], ours, value >>record
        if (value + 0 == ours + 0) { same += exact(name[i]); continue }
        line = "# " called " " name[i] ": " ours ", Nsight Compute " value
        if (exact(name[i])) differ[++differing] = line; else print line
    }
}
END {
    if (!launches || seen != launches) { print "not ok - " file ": Nsight Compute saw " seen + 0 " of " launches + 0 " launches"; exit }
    print (differing ? "not ok" : "ok") " - " file ": " same " counters that are functions of the program are Nsight Compute's"
    for (i = 1; i <= differing; ++i) print differ[i]
}
