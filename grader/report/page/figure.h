// Draws pictures as SVG. An SVG picture is either a part of the HTML report, with the report's colours, or a file of
// its own.
//
// Each SVG picture has a title and a description for screen readers. The colours of a picture are CSS variables with
// light and dark values. A picture in a file of its own contains the definitions of its colours. Widths and heights are
// in units of the SVG picture's viewBox.
#ifndef REPORT_PAGE_FIGURE_H
#define REPORT_PAGE_FIGURE_H

#include "device/occupancy.h"
#include "report/explain.h"

struct text;

// A struct figure tells whether a picture is a part of the HTML page or a file of its own.
struct figure {
    const char *id; // unique in the page; the ids of the picture's parts begin with this id
    int file;       // 1: the picture is a file of its own, with an XML head and colour definitions
};

// Draws one request to global memory: its cache lines of 128 bytes, their sectors, and the 4-byte words of each sector.
// The picture shows in each word the lane that accesses the word.
void figure_sectors(const struct figure *, const struct profile *, const struct line_access *, struct text *out);
// Draws one warp's access to shared memory as a table, with a column for each bank and a row for each pass (wavefront)
// of the access. In one pass, each bank serves at most one word. Each cell of this picture of an access to shared
// memory shows the lane that one bank serves in one pass.
void figure_banks(const struct figure *, const struct profile *, const struct line_access *, struct text *out);
// Draws the sectors of an access to global memory, or the banks of an access to shared memory.
void figure_access(const struct figure *, const struct profile *, const struct line_access *, struct text *out);

// Draws the occupancy of a kernel: the blocks that each resource allows, and the resident warps.
void figure_occupancy(const struct figure *, const struct device_profile *, const struct profile_kernel *,
                      struct text *out);

// Draws a kernel's launch: the grid, a block and a warp, each with the memory that its threads share, and the sizes and
// latencies of these memories on the device.
void figure_launch(const struct figure *, const struct device_profile *, const struct profile_kernel *,
                   struct text *out);

enum { FIGURE_SPANS = 600 };
// Draws the timed part of a host program, with a row for each engine and a bar for each operation. The colour of an
// operation's bar tells the operation's stream. Draws the first FIGURE_SPANS operations, and says so if the timeline
// has more operations.
void figure_timeline(const struct figure *, const struct lab_timeline *, struct text *out);

// A struct figure_point is a kernel's place under the roofline of a device.
struct figure_point {
    const char *name;
    double intensity; // operations per byte of device memory; infinite: no bytes are moved
    double gflops;    // operations per second, in GFLOP/s
    double roof;      // the highest rate at this intensity, in GFLOP/s
    int doubles;      // 1: most operations are double, and `roof` is that of the double units
};
// Computes a kernel's point from its counters and its time over the same launches (figure_roofline.c). Returns 1, or 0
// if the kernel did no float or double operations, or its time is 0.
int figure_point_make(struct figure_point *, const struct device_profile *, const char *name, const struct counters *,
                      uint64_t time_ps);
// Draws the roofline of the device, with a point and a name for each of `count` kernels. If names do not fit, the first
// kernels have them.
void figure_roofline(const struct figure *, const struct device_profile *, const struct figure_point *, uint32_t count,
                     struct text *out);
// Appends a rate with about three digits, such as "1.25 TFLOP/s".
void figure_rate(double gflops, struct text *out);

// A struct figure_attempt is one attempt in the history of a student's submissions. `total` is the number of points of
// an attempt, from 0 to 100. `passed` is 1 if the attempt passed the lab.
struct figure_attempt {
    int total, passed;
};
// Draws the points of `count` attempts, from 0 to 100 points, as a line in the order of the attempts.
void figure_history(const struct figure *, const struct figure_attempt *, uint32_t count, struct text *out);

#endif
