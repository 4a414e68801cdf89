// Implements threshold.h.
//
// A lab has a ladder, that is, a series of example kernels (steps) from slow to fast. From its steps follow the lab's
// thresholds, which are the speedups that the lab requires. Two steps of a lab's ladder are marked in the first line of
// their files:
//
//   - "the lesson's own step" is the plainest kernel with the lab's technique, which a textbook would print.
//   - "full marks" is the furthest step whose ideas the handout of this lab or of an earlier lab teaches.
//
// A lab's thresholds depend on the device and on the engine (simulator or GPU), because a kernel's speedup depends on
// both. On each device, the minimum speedup is LAB_ALLOWANCE times the speedup of the step that is marked as the
// lesson's own step. Full marks require LAB_ALLOWANCE times the speedup of the step that is marked with "full marks".
// The minimum speedup and the speedup for full marks are rounded down to hundredths, because reports print hundredths.
// On a device where the lesson's own step is hardly faster than the baseline (the lab's slow kernels), a minimum
// speedup would be a matter of chance, so the lab requires none there.
//
// A lab refuses kernels that avoid its subject by conditions on the technique, never by its minimum speedup. For a GPU,
// the speedups of the marked steps are those in struct lab, which were measured on an H200. The command `make devices`
// simulates the two marked steps of each lab on each device, and writes their speedups to threshold.def. The compilers
// nvcc and clang make images of different speed from one step. The smaller speedup of the two counts, so that the step
// passes with each compiler.
#include "lab/threshold.h"

#include <math.h>
#include <string.h>

static const double LEAST_LESSON = 1.3; // below this speedup of the lesson's step, a lab requires no minimum

static const struct row {
    const char *device, *lab;
    double lesson, furthest;
} rows[] = {
#define THRESHOLD(device, lab, lesson, furthest) {device, lab, lesson, furthest},
#include "lab/threshold.def"
#undef THRESHOLD
};

static double allow(double speedup)
{
    return floor(LAB_ALLOWANCE * speedup * 100 + 1e-9) / 100;
}

struct lab_threshold lab_threshold_of(double lesson, double furthest)
{
    return (struct lab_threshold){
        .minimum = lesson < LEAST_LESSON ? 0 : allow(lesson), .lesson = lesson, .full = allow(furthest)};
}

struct lab_threshold lab_threshold(const struct lab *lab, const char *device)
{
    struct lab_threshold t = lab_threshold_of(lab->lesson, lab->furthest);
    if (!device) device = "h200";
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(rows[k].device, device) && !strcmp(rows[k].lab, lab->name))
            t = lab_threshold_of(rows[k].lesson, rows[k].furthest);
    t.version = LAB_THRESHOLD_VERSION;
    return t;
}
