// Pictures as SVG, for the page (inside it, with the page's colours) and as files of their own.
//
// A picture has a title and a description for who does not see it. Colours are CSS variables, light and dark; those of
// a file stand in it. Widths are in the picture's own units and scale.
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "base/text.h"
#include "device/occupancy.h"
#include "report/explain.h"

struct figure {
    const char *id; // unique in the page: the names of its parts begin with it
    int file;       // 1: stands alone, with an XML head and its colours
};

// One request to global memory: its lines of 128 bytes, their sectors, and in each word the lane that names it.
void figure_sectors(const struct figure *, const struct look *, const struct line_access *, struct text *out);
// One access to shared memory: a row a pass, a column a bank, in each cell the lane that is served.
void figure_banks(const struct figure *, const struct look *, const struct line_access *, struct text *out);
// Of whichever of the two the access needs.
void figure_access(const struct figure *, const struct look *, const struct line_access *, struct text *out);

// What of a kernel fits a multiprocessor: blocks that each resource allows, and the warps that are resident.
void figure_occupancy(const struct figure *, const struct device_profile *, const struct look_kernel *,
                      struct text *out);

// What the devices did in the timed part of a host program: a row an engine, a bar an operation, with its stream's
// colour. As many operations as fit a page are drawn, and the rest is told as a number.
enum { FIGURE_SPANS = 600 };
void figure_timeline(const struct figure *, const struct lab_timeline *, struct text *out);

// Attempts in the order in which they were made: points of 100 each.
struct figure_attempt {
    int total, passed;
};
void figure_history(const struct figure *, const struct figure_attempt *, uint32_t count, struct text *out);

#endif
