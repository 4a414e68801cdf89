// Pictures as SVG: inside the HTML page, with the page's colours, or as files of their own.
//
// Each picture has a title and a description for screen readers. Colours are CSS variables with light and dark values;
// a file contains their definitions. Widths are in the picture's own units.
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "base/text.h"
#include "device/occupancy.h"
#include "report/explain.h"

// How a picture is used.
struct figure {
    const char *id; // unique in the page; the ids of the picture's parts begin with it
    int file;       // 1: a file of its own, with an XML head and colour definitions
};

// Draws one request to global memory: its lines of 128 bytes, their sectors, and in each word the lane that accesses
// it.
void figure_sectors(const struct figure *, const struct profile *, const struct line_access *, struct text *out);
// Draws one access to shared memory: a row for each pass, a column for each bank, in each cell the lane that is served.
void figure_banks(const struct figure *, const struct profile *, const struct line_access *, struct text *out);
// Draws sectors for an access to global memory, and banks for an access to shared memory.
void figure_access(const struct figure *, const struct profile *, const struct line_access *, struct text *out);

// Draws the occupancy of a kernel: the blocks that each resource allows, and the resident warps.
void figure_occupancy(const struct figure *, const struct device_profile *, const struct profile_kernel *,
                      struct text *out);

enum { FIGURE_SPANS = 600 };
// Draws the timed part of a host program: a row for each engine, a bar for each operation, coloured by its stream.
// Draws the first FIGURE_SPANS operations and states how many follow.
void figure_timeline(const struct figure *, const struct lab_timeline *, struct text *out);

// An attempt of the history: points from 0 to 100; 1 if passed.
struct figure_attempt {
    int total, passed;
};
// Draws the points of attempts, from 0 to 100, in the order of the attempts.
void figure_history(const struct figure *, const struct figure_attempt *, uint32_t count, struct text *out);

#endif
