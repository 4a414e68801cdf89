// Lab 6: a pipeline over chunks. The kernel is given. The student writes the host code that copies the numbers to the
// device, runs the kernel on them, and copies the results back.
//
// Two copy engines and the multiprocessors can work at the same time on different chunks. This needs asynchronous
// copies (page-locked memory) and a stream for each chunk, so that nothing orders the chunks. The given kernel takes
// about as long as a copy in one direction, so a perfect overlap gives a factor of three.
//
// Speedups over the baseline (page-locked, one stream, synchronous), on an H200 with 256 MB in each direction, and on
// the simulator with 16 MB:
//
//   pageable memory                 0.27
//   2 streams                       1.49: the lesson's own step
//   4 streams                       1.91
//   16 streams                      2.37
//   32 streams                      2.43: full marks
//   zero-copy, in one kernel        2.3, refused because its outputs come by no copy
#include <inttypes.h>

#include "base/message.h"
#include "lab/lab.h"

#define OVERLAP 0.25 // of the time; two streams reach 0.5

static const struct lab_case cases[] = {
    {N_("no number"), {0}, "random", .flags = CASE_SMALL},
    {N_("1 number"), {1}, "random", .flags = CASE_SMALL},
    {N_("31 numbers"), {31}, "random", .flags = CASE_SMALL},
    {N_("33 numbers"), {33}, "random", .flags = CASE_SMALL},
    {N_("1000 numbers"), {1000}, "random", .flags = CASE_SMALL},
    {N_("4099 numbers (prime)"), {4099}, "random", .flags = CASE_SMALL},
    {N_("65536 numbers"), {65536}, "random", .flags = CASE_SMALL},
    {N_("4194304 numbers"), {1 << 22}, "random", .flags = CASE_SPEED},
    {"hidden: few", {0}, "random", .flags = CASE_SMALL | CASE_HIDDEN, .draw = {LAB_BETWEEN(2, 30)}},
    {"hidden: prime", {0}, "random", .flags = CASE_SMALL | CASE_HIDDEN, .draw = {LAB_PRIME(5003, 9973)}},
    {"hidden: large prime", {0}, "random", .flags = CASE_HIDDEN, .draw = {LAB_PRIME(90001, 110017)}},
};

// Computes what work_on() in grader/kit/lab6.h computes.
static uint32_t work_on(uint32_t v)
{
    uint32_t t = v;
    for (int round = 0; round < 224; ++round) t = (t * 5 + v) % 1000003;
    return t;
}

static int copy_or_kernel(const struct lab_span *s)
{
    return s->used && s->engine <= LAB_COPY_OUT ? s->engine == LAB_KERNEL : -1;
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    const struct lab_timeline *line = e->timeline;
    uint32_t streams = 0, pageable = 0;
    for (uint32_t i = 0; i < line->count; ++i) {
        const struct lab_span *s = &line->span[i];
        if (s->stream > streams) streams = s->stream;
        pageable += (s->engine == LAB_COPY_IN || s->engine == LAB_COPY_OUT) && !s->page_locked;
    }
    double both = line->time_ps ? (double)lab_overlap(line, copy_or_kernel) / (double)line->time_ps : 0;
    lab_technique(t, streams >= 2, "%" PRIu32 " streams besides the default one; at least 2 are needed", streams);
    lab_technique(t, both >= OVERLAP,
                  "copies and kernels at work together during %d %% of the time; at least %.0f %% are needed",
                  (int)(both * 100), // rounded down, so that a value below the limit never prints as the limit
                  OVERLAP * 100);
    lab_technique(t, !pageable, "%" PRIu32 " copies from or to pageable memory; none is allowed", pageable);
    lab_advice(t, "take the host's memory with cudaMallocHost()");
    lab_technique(t, !line->mapped_bytes,
                  "%" PRIu64 " bytes that kernels read or wrote in the host's memory; none is allowed",
                  line->mapped_bytes);
    lab_advice(t, "copy to and from device memory");
}

static const struct lab_host host = {.devices = 1, .map = work_on, .card_words = 1 << 26};

const struct lab lab6_streams = {
    .name = "lab6",
    .slug = "lab6_streams",
    .title = N_("A pipeline of copies and kernels in streams"),
    .task = N_("write the host code that copies, computes and copies back chunk by chunk, so that all three overlap"),
    .kernel = {"work"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 1.48,
    .furthest = 2.29,
    .plan = lab_host_plan,
    .fill = lab_host_fill,
    .expect = lab_host_expect,
    .technique = technique,
    .host = &host,
    .hint =
        {
            N_("Look at the timeline in the report: copying in, computing and copying out are done by three different "
               "engines, and two of them always stand still. What would the first have to be handed so that it can go "
               "on "
               "while the second works? Cut the array into chunks."),
            N_("An operation goes into a stream: cudaMemcpyAsync(..., stream), work<<<grid, block, 0, stream>>>. "
               "Within a "
               "stream all is done in order; between streams (other than the default one) nothing is promised. Give "
               "each "
               "chunk a stream of its own, and wait once, at the end. Copies are asynchronous only from and to "
               "page-locked "
               "memory: cudaMallocHost() instead of malloc()."),
            N_("for (int s = 0; s < STREAMS; ++s) { int first = s * chunk, count = min(chunk, n - first); copy in + "
               "first "
               "to device_in + first; work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + "
               "first, count); copy device_out + first to out + first; } all with stream[s], then "
               "cudaDeviceSynchronize(). chunk = (n + STREAMS - 1) / STREAMS, and stop when first reaches n."),
        },
};
