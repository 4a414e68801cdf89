# Holds measured pairs (NAME ANCHOR_US REFERENCE_US) against limits.txt: awk -f limits.awk limits.txt MEASURED
FNR == NR {
    if (/^#/) next
    limit[$1] = $2
    order[++count] = $1
    next
}
{ anchor[$1] = $2; reference[$1] = $3 }
END {
    for (i = 1; i <= count; ++i) {
        name = order[i]
        if (!(name in anchor)) { print "ok - " name " # skip it was not measured"; continue }
        share = reference[name] / anchor[name]
        printf "%s - %s: %s us, the anchor %s us: %.2f of it, %s allowed\n", share <= limit[name] ? "ok" : "not ok", name,
               reference[name], anchor[name], share, limit[name]
    }
}
