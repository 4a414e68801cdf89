// Lab 8: work split over two devices and the host. The kernel is given, and so is its equivalent for the host. The
// student decides which numbers each of the three computes, and makes all three work at the same time.
//
// The computation is short, so copies take most of the time; each device has a bus of its own. The host's processor
// takes 2.9 ns for each number, as the host of the measured cards did; a device takes 0.15 ns. The host's fair share is
// therefore a fortieth. The virtual clock charges that time when the program announces the host's share. Other
// computation on the host costs no virtual time.
//
// Speedups over the baseline (one device, page-locked memory, synchronous), on the simulator, 16 MB in each direction:
//
//   two devices, one after the other           1.0
//   two devices at once                        2.0
//   two devices and the host                   2.0: the lesson's own step
//   the same, with chunks in streams on each   2.5: full marks
//
// With several streams one device reaches 1.7 and is refused for the technique.
#include <inttypes.h>

#include "base/message.h"
#include "lab/lab.h"

enum { DEVICES = 2 };
#define OVERLAP 0.4      // share of the time during which both devices work
#define HOST_OVERLAP 0.5 // share of the host's own time during which a device works
#define HOST_LEAST 0.01  // share of the numbers
#define DEVICE_LEAST 0.1 // share of the numbers, for each device

static const struct lab_case cases[] = {
    {N_("no number"), {0}, "random", .flags = CASE_SMALL},
    {N_("1 number"), {1}, "random", .flags = CASE_SMALL},
    {N_("31 numbers"), {31}, "random", .flags = CASE_SMALL},
    {N_("33 numbers"), {33}, "random", .flags = CASE_SMALL},
    {N_("1000 numbers"), {1000}, "random", .flags = CASE_SMALL},
    {N_("4099 numbers (prime)"), {4099}, "random", .flags = CASE_SMALL},
    {N_("262144 numbers"), {262144}, "random", .flags = CASE_SMALL},
    {N_("4194304 numbers"), {1 << 22}, "random", .flags = CASE_SPEED},
    {"hidden: few", {0}, "random", .flags = CASE_SMALL | CASE_HIDDEN, .draw = {LAB_BETWEEN(2, 30)}},
    {"hidden: prime", {0}, "random", .flags = CASE_SMALL | CASE_HIDDEN, .draw = {LAB_PRIME(5003, 9973)}},
    {"hidden: large prime", {0}, "random", .flags = CASE_HIDDEN, .draw = {LAB_PRIME(280001, 320009)}},
};

// Computes what work_on() in grader/kit/lab8.h computes.
static uint32_t work_on(uint32_t v)
{
    uint32_t t = v;
    for (int round = 0; round < 4; ++round) t = t * 1664525 + (v ^ t >> 15);
    return t;
}

static int device(const struct lab_span *s)
{
    return s->engine == LAB_HOST || !s->used ? -1 : (int)s->device;
}

static int host_or_device(const struct lab_span *s)
{
    return s->used ? s->engine == LAB_HOST : -1;
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    const struct lab_timeline *line = e->timeline;
    int works = 0;
    uint64_t own = 0;
    double all = line->time_ps ? (double)line->time_ps : 1, numbers = e->plan->dim[0];
    for (uint32_t i = 0; i < line->count; ++i) {
        const struct lab_span *s = &line->span[i];
        if (s->engine == LAB_HOST) own += s->end_ps - s->start_ps;
    }
    for (int d = 0; d < DEVICES; ++d) works += (double)line->device_words[d] >= DEVICE_LEAST * numbers;
    double both = (double)lab_overlap(line, device) / all, share = (double)line->host_words / numbers;
    double beside = own ? (double)lab_overlap(line, host_or_device) / (double)own : 0;
    // Percentages are rounded down, so that a value below the limit never prints as the limit.
    lab_technique(t, works == DEVICES, "%d devices compute at least %.0f %% of the numbers; %d are needed", works,
                  DEVICE_LEAST * 100, DEVICES);
    lab_technique(t, both >= OVERLAP, "both devices at work during %d %% of the time; at least %.0f %% are needed",
                  (int)(both * 100), OVERLAP * 100);
    lab_technique(t, share >= HOST_LEAST, "%.1f %% of the numbers computed by the host; at least %.0f %% are needed",
                  (int)(share * 1000) / 10.0, HOST_LEAST * 100);
    lab_technique(t, beside >= HOST_OVERLAP,
                  "devices at work during %d %% of the host's own time; at least %.0f %% are needed",
                  (int)(beside * 100), HOST_OVERLAP * 100);
}

static const struct lab_host host = {.devices = DEVICES, .host_ps = 2900, .map = work_on, .card_words = 1 << 26};

const struct lab lab8_devices = {
    .name = "lab8",
    .slug = "lab8_devices",
    .title = N_("Two devices and the host at work"),
    .task =
        N_("write the host code that splits an array over two devices and the processor, all three at the same time"),
    .kernel = {"work"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 1.94,
    .furthest = 2.25,
    .plan = lab_host_plan,
    .fill = lab_host_fill,
    .expect = lab_host_expect,
    .technique = technique,
    .host = &host,
    .hint =
        {
            N_("A host thread talks to one device at a time: cudaSetDevice() says to which. What you allocate, launch "
               "and "
               "create belongs to the device that is current then. Give each device memory and a stream of its own for "
               "half of the array, and look at the timeline: do both work at the same time?"),
            N_("Hand over everything to both devices before you wait for either: cudaMemcpyAsync() and the launch "
               "return "
               "at once. cudaDeviceSynchronize() waits for the current device alone, so wait once for each. Between "
               "the "
               "last hand-over and the first wait the host has nothing to do: that is where its own share belongs."),
            N_("int own = n / 40, half = (n - own) / 2; for (int d = 0; d < 2; ++d) { cudaSetDevice(d); copy in, "
               "launch "
               "and "
               "copy out the numbers from d * half on, half of them (the second device n - own - half), in stream[d]; "
               "} "
               "work_on_host(in + n - own, out + n - own, own); then for both devices cudaSetDevice(d), "
               "cudaDeviceSynchronize()."),
        },
};
