#!/usr/bin/env bats
# The house rules about symbols, checked with nm on the built libraries: which folder may call which, and what exported
# names begin with.

setup() {
    BUILD=${BUILD:-build/release}
    [ -e "$BUILD/libbase.a" ] || skip "the grader is not built"
}
# Prints "FOLDER FILE TYPE SYMBOL" for each exported or undefined symbol of the libraries. A file that is compiled for
# several vector units (cell.v3.o) counts once, without the level at the end of its symbols. Left out: names of the C
# library and of libgomp that libcudart replaces, and compilers' own.
symbols() {
    nm -A "$BUILD"/lib*.a "$BUILD"/grader/*/main*.o 2>/dev/null |
        sed -nE 's,^.*/lib([a-z-]*)\.a:([^:]*)\.o:.* ([A-Zu]) ([^ ]*)$,\1 \2 \3 \4,p
            s,^.*/grader/([a-z]*)/([^:]*)\.o:.* ([A-Zu]) ([^ ]*)$,\1 \2 \3 \4,p' |
        sed -E 's,^([a-z]*)-([a-z]*) ,\1/\2 ,; s,\.(base|v3|v4) , ,; s,_(v3|v4)$,,' |
        grep -vE ' (__.*|clock_gettime|gettimeofday|time|pthread_.*|sem_.*|sched_yield|syscall|(clock_)?nanosleep|u?sleep|GOMP_.*)$' | sort -u
}

# Fails if standard input has lines, and prints them.
none() { # none "what is wrong"
    local found
    found=$(cat)
    [ -z "$found" ] || { echo "$1:"; echo "$found"; return 1; }
}

@test "a folder calls only functions of the folders that the matrix allows" {
    symbols | sed 's/^labs /lab /' | awk '
        FNR == NR { if (!/^#/) { sub(":", ""); for (i = 1; i <= NF; i++) allowed[$1, $i] } next }
        $3 ~ /[Uu]/ { used[++n] = $0; next }
        { defined[$4] = defined[$4] " " $1 }
        END {
            for (i = 1; i <= n; i++) {
                split(used[i], use)
                if (!(use[4] in defined)) continue
                good = 0
                split(defined[use[4]], places)
                for (p in places) good = good || (use[1], places[p]) in allowed
                if (!good) print use[1] " -> " places[1] ": " use[4] " in " use[2] ".c"
            }
        }' grader/matrix.txt - | none "matrix.txt does not allow these calls"
}

# An exported name begins with the noun of the file that defines it or of a header that declares it, perhaps after the
# name of its folder: filter_enter or box_filter_enter in box/filter.c. Singular and plural are one noun (cells_clear in
# cell.c), and so are a verb and its -ing form (lower_call in lowering.h). The names of the CUDA runtime are given.
@test "an exported name begins with the noun of its file or header" {
    {
        for header in grader/*/*.h grader/*/*/*.h; do
            sed 's,//.*,,' "$header" | grep -oE '\<[a-z]\w*(##)?' | sort -u | sed "s,^,$(basename "$header" .h) ,"
        done
        echo
        symbols
    } | awk '
        function begins(noun) { return s == noun || index(s, noun "_") == 1 }
        function fits(noun,    stem) {
            if (begins(noun) || begins(noun "s") || begins(noun "es")) return 1
            stem = noun
            return (sub(/y$/, "ies", stem) || sub(/ies$/, "y", stem) || sub(/s$/, "", stem) || sub(/ing$/, "", stem)) && begins(stem)
        }
        function named(noun,    i) {
            s = $4
            if (fits(noun)) return 1
            for (i in level) if (index($4, level[i] "_") == 1) {
                s = substr($4, length(level[i]) + 2)
                if (fits(noun)) return 1
            }
            return 0
        }
        NF == 0 { symbols = 1; next }
        !symbols && sub(/##$/, "", $2) { made[$2] = $1; next } # a macro of the header declares NOUN_##name
        !symbols { declared[$2] = declared[$2] " " $1; next }
        $1 == "labs" || $3 ~ /[Uu]/ || $4 ~ /^(cuda|warpwise_|main$)/ { next }
        {
            delete level; delete nouns
            for (prefix in made) if (index($4, prefix) == 1) declared[$4] = declared[$4] " " made[prefix]
            split($1, level, "/")
            split($2 declared[$4], nouns)
            for (n in nouns) if (named(nouns[n])) next
            print $1 "/" $2 ".c: " $4
        }' | none "these names begin with no noun of their file or header"
}
