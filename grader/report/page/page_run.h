// Declares what the files page_run*.c share to write the page on a host program's run.
#ifndef REPORT_PAGE_PAGE_RUN_H
#define REPORT_PAGE_PAGE_RUN_H

#include "device/profile.h"
#include "report/page/page.h"

enum {
    PAGE_KERNELS = 50,  // most kernels in the table and in the roofline; one row sums up the others
    PAGE_ARTICLES = 20, // most kernels with a part of their own
    PAGE_LINES = 24,    // most source lines
};

// A struct page_run_line is a source line of device code, summed over all kernels.
struct page_run_line {
    uint32_t source, line; // source: index into host_trace.source
    struct explain_line figures;
    double weight; // the line's part of the time of all kernels in ps; without times, of their warp instructions
};

// A struct page_run holds what the sections of the page are made of.
struct page_run {
    const struct host_trace *trace;
    const struct device_profile *device;                        // NULL: the device has no profile
    const struct host_trace_kernel *kernel[HOST_TRACE_KERNELS]; // the longest time first
    uint64_t total_ps;                                          // time of all kernels
    uint64_t from_ps, to_ps;                                    // start of the first operation, end of the last
    int timed;                                                  // 0: the time of kernels was not modelled
    struct lab_timeline *timeline;                              // owned
    char brief[HOST_TRACE_KERNELS][64]; // names of the kernels for the timeline, cut if they are long
    struct page_run_line *line;         // [nlines], the most expensive first; owned
    uint32_t nlines;
    double weight; // of all kernels; what page_run_line.weight relates to
};

// Returns the name of a kernel of the trace.
const char *page_run_name(const struct page *, const struct host_trace_kernel *);
// Appends the place of a source line: its number, and its file unless it is the program's only one.
void page_run_place(const struct page *, uint32_t source, uint32_t line, struct text *out);

// Writes the table of kernels, and for each kernel what bounds it and what would help most (page_run_kernels.c).
void page_run_kernels(const struct page *, const struct page_run *);
// Writes what would help the program most.
void page_run_next(const struct page *, const struct page_run *);
// Collects the source lines that cost most (page_run_lines.c), and writes them as a table.
void page_run_make_lines(struct page_run *);
void page_run_lines(const struct page *, const struct page_run *);
// Writes the roofline as a picture and as a table (page_run_roofline.c).
void page_run_roofline(const struct page *, const struct page_run *);

#endif
