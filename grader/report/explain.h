// What there is to see of a submission: its source with figures beside each line. Of kernels besides, what bounds each,
// and the worst access as maps of sectors and banks; of host code, when its devices did what the lines asked for.
// Data alone: explain_terminal.c and the page's writers print it.
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
// What a line of host code asked of the devices in the timed part.
struct explain_call {
    uint32_t operations; // copies, kernels; or the host's own share
    uint64_t bytes;
    uint64_t time_ps;   // during which at least one of them was under way
    uint64_t all_ps;    // of them all, one after the other
    uint64_t alone_ps;  // of all_ps: while no other engine was at work
    uint64_t waited_ps; // of them all, from the call to the start
};
struct explain {
    const struct look *look;
    const struct lab_timeline *timeline; // host code; and then nothing below but `call`, an element a line, owned
    struct explain_call *call;
    uint32_t nlines;
    struct explain_line *line; // line[0] is line 1; owned
    // The access that costs most beyond what it must: which kernel's, a request of it, and how many there are of the
    // line, of both kinds. NULL: nothing goes to memory.
    const struct look_kernel *kernel;
    const struct line_access *worst;
    uint64_t requests;
};

// The source outlives it, and so do look and timeline.
void explain_make_calls(struct explain *, const struct lab_timeline *, const char *source, size_t bytes);
void explain_make(struct explain *, const struct look *, const char *source, size_t bytes);
// Chooses the worst access anew: of those to that space (SPACE_NONE: of all), of that line (0: of all).
void explain_worst(struct explain *, uint32_t space, uint32_t line);
void explain_free(struct explain *);
// For the two above: the source's lines, without figures.
void explain_lines(struct explain *, const char *source, size_t bytes);

// One request to global memory: the lines it touches, and who touches their sectors.
struct explain_sector_map {
    uint32_t count;
    struct sector_line {
        uint64_t address;                                // of the line
        uint32_t lanes[COALESCE_LINE / COALESCE_SECTOR]; // bit l: lane l names something in the sector
    } line[COALESCE_CELLS];
    uint32_t sectors, fewest; // touched; that would hold as many bytes as are asked for, or as are named
    uint32_t asked, moved;    // bytes
};
void explain_sector_map_make(struct explain_sector_map *, const struct line_access *);
// One access to shared memory, pass by pass.
struct explain_bank_map {
    struct bank_steps steps;
    uint32_t fewest; // passes that so many lanes need at the least
};
void explain_bank_map_make(struct explain_bank_map *, const struct line_access *);

// Sentences in the reader's language, appended without a line feed or full stop.
// "'transpose' takes 12.3 µs, bound by memory bandwidth, which alone would take 87 % of that; next is ..."
void explain_bound(const struct look_kernel *, struct text *);
// "the timed part takes 2.3 ms; more than one engine is at work during 40 % of it"
void explain_together(const struct lab_timeline *, struct text *);
// "line 12: 32 lanes of a warp store to 'out' and touch 32 sectors, where 4 would hold their 128 bytes: ..."
void explain_access(const struct look *, const struct line_access *, struct text *);
// Of the chosen access: "Your worst access"; and "warp 0 of block 1,0,0 of 'transpose'; the line makes 512 requests".
enum explain_whose { EXPLAIN_THE, EXPLAIN_YOURS, EXPLAIN_REFERENCE, EXPLAIN_WHOSE };
const char *explain_heading(const struct explain *, enum explain_whose);
void explain_place(const struct explain *, struct text *);
// What works on an operation of a timeline, in English: N_() marks them.
extern const char *const explain_engine[LAB_ENGINES];
// "0-7,12": the lanes of a mask.
void explain_lanes(uint32_t mask, struct text *);
// A count as people read it: "812", "65.5k", "1.2M".
void explain_count(uint64_t, struct text *);
// A kernel's time as people compare it: "2.71 µs", "4392.4 µs".
void explain_time(uint64_t ps, struct text *);
// The array that an access goes to: its name, or "" when it has none.
const char *explain_array(const struct look *, const struct line_access *);

// All of it for a terminal. Of host code: explain_terminal_calls, with what the verdict knows besides. `shown`: the
// file's name, clean. `other` (NULL: none) is the reference's, whose worst access is drawn below.
struct report_options;
struct verdict;
void explain_terminal(const struct explain *, const char *shown, const struct explain *other,
                      const struct report_options *, struct text *out);
void explain_terminal_calls(const struct explain *, const struct verdict *, const struct report_options *,
                            struct text *out);

#endif
