// Implements threshold.h.
//
// The steps of a lab's ladder set its thresholds. Two of the steps are marked in the first line of their files:
//
//   - "the lesson's own step" is the plainest kernel with the lab's technique, which a textbook would print.
//   - "full marks" is the furthest step whose ideas the handout of this lab or of an earlier lab teaches.
//
// A kernel's speedup depends on the device and on the engine, and so do the thresholds. On each device, the minimum is
// LAB_ALLOWANCE times the speedup of the lesson's step, and full marks require LAB_ALLOWANCE times the speedup of the
// other step. Both are rounded down to hundredths, as reports print them. On a device where the lesson's step is hardly
// faster than the baseline, a minimum would be a matter of chance, so the lab requires none there.
//
// Shortcuts are kept out by the technique, never by the minimum. The speedups on a GPU are those of struct lab,
// measured on an H200. The command `make devices` simulates the two steps on each device and writes threshold.def.
// The two compilers make images of different speed; the smaller speedup counts, so that a step passes through each.
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
    return (struct lab_threshold){lesson < LEAST_LESSON ? 0 : allow(lesson), lesson, allow(furthest)};
}

struct lab_threshold lab_threshold(const struct lab *lab, const char *device)
{
    if (!device) device = "h200";
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(rows[k].device, device) && !strcmp(rows[k].lab, lab->name))
            return lab_threshold_of(rows[k].lesson, rows[k].furthest);
    return lab_threshold_of(lab->lesson, lab->furthest);
}
