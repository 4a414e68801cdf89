// What there is to see of a submission's kernels: its source with figures beside each line, what bounds each kernel,
// and the worst access as maps of sectors and banks. Data alone: explain_terminal.c and the page's writers print it.
#ifndef REPORT_EXPLAIN_H
#define REPORT_EXPLAIN_H

#include "base/text.h"
#include "device/banks.h"
#include "device/coalesce.h"
#include "judge/look.h"

struct explain_line {
    const char *text; // of the source; as it stands there, `length` bytes
    size_t length;
    int counted;           // 1: instructions of it were executed, and the rest holds
    uint64_t instructions; // of warps
    double lanes;          // that took part, on the mean; at most 32
    double sectors;        // of a request to global or local memory, of the worst kind; negative: there was none
    double wavefronts;     // likewise, of an access to shared memory; negative: there was none
    uint32_t
        time_permille; // of the time of all kernels' warps, what they spend at this line and waiting for its results
};
struct explain {
    const struct look *look;
    uint32_t nlines;
    struct explain_line *line; // line[0] is line 1; owned
    // The access that costs most beyond what it must: which kernel's, a request of it, and how many there are of the
    // line, of both kinds. NULL: nothing goes to memory.
    const struct look_kernel *kernel;
    const struct line_access *worst;
    uint64_t requests;
};

// The source outlives it.
void explain_make(struct explain *, const struct look *, const char *source, size_t bytes);
// Chooses the worst access anew: of those to that space (SPACE_NONE: of all), of that line (0: of all).
void explain_worst(struct explain *, uint32_t space, uint32_t line);
void explain_free(struct explain *);

// One request to global memory: the lines it touches, and who touches their sectors.
struct sector_map {
    uint32_t count;
    struct sector_line {
        uint64_t address;                                // of the line
        uint32_t lanes[COALESCE_LINE / COALESCE_SECTOR]; // bit l: lane l names something in the sector
    } line[COALESCE_CELLS];
    uint32_t sectors, fewest; // touched; that would hold as many bytes as are asked for, or as are named
    uint32_t asked, moved;    // bytes
};
void sector_map_make(struct sector_map *, const struct line_access *);
// One access to shared memory, pass by pass.
struct bank_map {
    struct bank_steps steps;
    uint32_t fewest; // passes that so many lanes need at the least
};
void bank_map_make(struct bank_map *, const struct line_access *);

// Sentences, appended without a line feed.
// "'transpose' takes 12.3 µs, bound by memory bandwidth (87 % of that time); next is L2 bandwidth (40 %)"
void explain_bound(const struct look_kernel *, struct text *);
// "line 12: the lanes of a warp that store to 'out' touch 32 sectors where 4 would hold their 128 bytes"
void explain_access(const struct look *, const struct line_access *, struct text *);
// "0-7,12": the lanes of a mask.
void explain_lanes(uint32_t mask, struct text *);
// A count as people read it: "812", "65.5k", "1.2M".
void explain_count(uint64_t, struct text *);
// The array that an access goes to: its name, or "" when it has none.
const char *explain_array(const struct look *, const struct line_access *);

// All of it for a terminal. `shown`: the file's name, clean. `other` (NULL: none) is the reference's, whose worst
// access is drawn below.
struct report_options;
void explain_terminal(const struct explain *, const char *shown, const struct explain *other,
                      const struct report_options *, struct text *out);

#endif
