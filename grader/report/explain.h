// Computes the data of `./grade explain`: a submission's source with figures for each line. For kernels, the data of
// `./grade explain` also tell what limits each kernel, and show the worst memory access as maps of sectors and banks.
// For host code, the data of `./grade explain` also tell when the devices did the work that each line requested.
//
// The functions of explain_terminal.c and page_*.c print the data that explain.h computes.
#ifndef REPORT_EXPLAIN_H
#define REPORT_EXPLAIN_H

#include "device/banks.h"
#include "device/coalesce.h"
#include "judge/verdict/profile.h"

struct text;

// A struct explain_line holds the figures of one source line of kernel code.
struct explain_line {
    const char *text; // the line in the source, `length` bytes, without a NUL
    size_t length;
    int counted;           // 1: the line was executed, and the fields below are valid
    uint64_t instructions; // warp instructions executed
    double lanes;          // average number of active lanes, at most 32
    double sectors;    // for each request to global or local memory, of the worst kind of access; negative: no request
    double wavefronts; // for each access to shared memory, of the worst kind of access; negative: no access
    // `time_permille` is the share of the time of all kernels' warps that the warps spend at this source line or
    // waiting for the line's results, in permille.
    uint32_t time_permille;
};
// A struct explain_call describes the work that a source line of host code requested of the devices in the timed part
// of the program.
struct explain_call {
    uint32_t operations; // number of copies and kernels, or of work items on the host
    uint64_t bytes;
    uint64_t time_ps;   // time during which at least one of the operations was running
    uint64_t all_ps;    // sum of the times of all operations
    uint64_t alone_ps;  // part of all_ps during which no other engine worked
    uint64_t waited_ps; // sum of the times from the call to the start of each operation
};
// A struct explain holds the explanation of one submission.
struct explain {
    const struct profile *profile;
    // The timeline is set for host code. If the timeline is set, only `call` is valid. `call` has an element for each
    // line, and the explanation owns `call`.
    const struct lab_timeline *timeline;
    struct explain_call *call;
    struct bundle source; // the text whose lines these are
    uint32_t nlines;
    struct explain_line *line; // [nlines], owned; line[0] is line 1
    // `kernel`, `worst` and `requests` describe the worst memory access: its kernel, one example request, and the
    // number of requests of its source line. The worst memory access is the access that exceeds its minimum cost most.
    // `kernel` and `worst` are NULL if the kernels do not access memory.
    const struct profile_kernel *kernel;
    const struct line_access *worst;
    uint64_t requests;
};

// The function explain_make_calls() computes the figures of the source lines of host code, and explain_make() computes
// the figures of the source lines of kernels. The source, the timeline and the profile must outlive the struct explain.
// The caller frees the struct explain with explain_free().
void explain_make_calls(struct explain *, const struct lab_timeline *, const char *source, size_t bytes);
void explain_make(struct explain *, const struct profile *, const char *source, size_t bytes);
// Chooses the worst memory access again, only among accesses to one memory space (SPACE_NONE: any space) in one source
// line (0: any line).
void explain_worst(struct explain *, uint32_t space, uint32_t line);
void explain_free(struct explain *);
// Splits the source into lines. Does not compute the figures of a line, such as its sectors per request.
void explain_lines(struct explain *, const char *source, size_t bytes);
// Sets the figures of a source line from its counters, except the line's share of the time.
void explain_line_take(struct explain_line *, const struct counters *);

// A struct explain_sector_map shows one request to global memory: the cache lines of 128 bytes that the request
// touches, and the lanes that access each sector.
struct explain_sector_map {
    uint32_t count;
    struct sector_line {
        uint64_t address;                                // address of the line
        uint32_t lanes[COALESCE_LINE / COALESCE_SECTOR]; // bit l: lane l accesses the sector
    } line[COALESCE_CELLS];
    uint32_t sectors, fewest; // sectors touched; minimum number of sectors that could hold the bytes
    uint32_t asked, moved;    // bytes requested by the lanes; bytes of the sectors touched
};
// Computes the sector map of a request to global memory.
void explain_sector_map_make(struct explain_sector_map *, const struct line_access *);
// A struct explain_bank_map shows one access to shared memory, with all its passes through the banks.
struct explain_bank_map {
    struct bank_steps steps;
    uint32_t fewest; // minimum number of passes in which this number of lanes can be served
};
// Computes the bank map of an access to shared memory.
void explain_bank_map_make(struct explain_bank_map *, const struct line_access *);

// The functions explain_bound(), explain_overlap(), explain_access() and explain_place() append sentences in the user's
// language, without line feed or full stop.

// Appends the sentence about a kernel's time: "'transpose' takes 12.3 µs, bound by memory bandwidth, which alone would
// take 87 % of that; next is ...".
void explain_bound(const struct profile_kernel *, struct text *);
// Appends the sentence about a host program's overlap: "the timed part takes 2.3 ms; more than one engine is at work
// during 40 % of it".
void explain_overlap(const struct lab_timeline *, struct text *);
// Appends the sentence about a memory access: "line 12: 32 lanes of a warp store to 'out' and touch 32 sectors, where 4
// would hold their 128 bytes: ...".
void explain_access(const struct profile *, const struct line_access *, struct text *);
// An enum explain_whose tells whose source an explanation shows. EXPLAIN_THE stands for the only source code that an
// explanation shows, with the heading "The worst access". EXPLAIN_YOURS stands for the student's source code, with the
// heading "Your worst access". EXPLAIN_REFERENCE stands for the reference solution, with the heading "The reference's
// worst access".
enum explain_whose { EXPLAIN_THE, EXPLAIN_YOURS, EXPLAIN_REFERENCE, EXPLAIN_WHOSE };
// Returns the heading above the worst memory access, such as "Your worst access".
const char *explain_heading(const struct explain *, enum explain_whose);
// Appends the place of the worst memory access: "warp 0 of block 1,0,0 of 'transpose'; the line makes 512 requests".
void explain_place(const struct explain *, struct text *);
// The array explain_engine holds the names of a timeline's engines in English, marked by N_() for translation.
extern const char *const explain_engine[LAB_ENGINES];
// Appends the numbers of the lanes in a lane mask, such as "0-7,12".
void explain_lanes(uint32_t mask, struct text *);
// Appends a rounded count, such as "812", "65.5k" or "1.2M".
void explain_count(uint64_t, struct text *);
// Appends a kernel's time, such as "2.71 µs" or "4392.4 µs".
void explain_time(uint64_t ps, struct text *);
// Returns the name of the array that a memory access touches, or "" if the array has no name.
const char *explain_array(const struct profile *, const struct line_access *);

struct report_options;
struct verdict;
// Appends the whole explanation of kernels for a terminal. `shown` is the file's name, made clean by utf8_clean().
// `other` is the explanation of the reference solution, whose worst memory access is drawn below the student's, or
// NULL.
void explain_terminal(const struct explain *, const char *shown, const struct explain *other,
                      const struct report_options *, struct text *out);
// Appends the explanation of host code for a terminal.
void explain_terminal_calls(const struct explain *, const struct verdict *, const struct report_options *,
                            struct text *out);

#endif
