// Concludes from the model of time what would make a kernel or a host program faster: the resource that would bound the
// kernel next, and advice for the resource that bounds it now. The reports of labs (next.c) and of whole programs use
// the same advice.
#include "base/message.h"
#include "judge/verdict/verdict.h"

// Contains advice for a kernel, indexed by the resource that bounds the kernel's speed.
static const char *const advice[RESOURCES] = {
    [RESOURCE_LAUNCH] = N_("there is too little work in a launch: let one launch do more"),
    [RESOURCE_ISSUE] =
        N_("too many instructions: take index arithmetic out of the inner loop, let a thread do more at once"),
    [RESOURCE_FP32] = N_("the float units are busy: good, unless work is done twice"),
    [RESOURCE_INT] = N_("too much index arithmetic: move it out of the inner loop"),
    [RESOURCE_FP64] = N_("there is double arithmetic: write 1.0f instead of 1.0"),
    [RESOURCE_SFU] = N_("too many special functions: compute each value once"),
    [RESOURCE_LSU] =
        N_("too many passes of shared memory and L1: remove bank conflicts, load wider, keep values in registers"),
    [RESOURCE_L2] = N_("too many bytes from the L2: use whole sectors, and reuse what was loaded"),
    [RESOURCE_DRAM] = N_("too many bytes from memory: read and write each element once, in whole sectors"),
    [RESOURCE_ATOMIC] = N_("too many atomics on few addresses: combine in registers or shared memory first"),
    [RESOURCE_DISPATCH] = N_("too many small blocks: let a block do more"),
    [RESOURCE_LATENCY] = N_("too few warps wait at once: more warps in flight, or more independent loads in a thread"),
    [RESOURCE_WAITS] = N_("warps wait for one another, by a lock, a flag or a barrier of their own, and so work one "
                          "after the other: let them work side by side"),
};

// Contains advice for a host program, indexed by the kind of engine (kernels, a kind of copy, or the host) that works
// alone for the largest part of the program's time. In each text, %u is the percentage of the host program's time
// during which an engine of the given kind is the only engine at work.
static const char *const lonely[LAB_ENGINES] = {
    [LAB_COPY_IN] =
        N_("during %u %% of the time a copy to the device is all that is at work: cut the work into more pieces, "
           "so that others are computed and copied back meanwhile"),
    [LAB_KERNEL] =
        N_("during %u %% of the time a kernel is all that is at work: cut the work into more pieces, so that "
           "others are copied meanwhile"),
    [LAB_COPY_OUT] =
        N_("during %u %% of the time a copy to the host is all that is at work: cut the work into more pieces, "
           "so that others are copied in and computed meanwhile"),
    [LAB_PEER] = N_("during %u %% of the time a copy between devices is all that is at work: give each device what it "
                    "needs from the host"),
    [LAB_HOST] = N_("during %u %% of the time the host's own share is all that is at work: leave more to the devices"),
};

const char *verdict_advice(enum resource bound)
{
    return advice[bound];
}

uint32_t verdict_permille(uint64_t part, uint64_t whole)
{
    double share = whole ? (double)part / (double)whole * 1000 : 0;
    return share > 1000 ? 1000 : (uint32_t)share;
}

void verdict_take_bounds(struct verdict_kernel *k, enum resource bound, const uint64_t resource_ps[RESOURCES],
                         uint64_t time_ps)
{
    uint64_t launch = resource_ps[RESOURCE_LAUNCH], next_ps = 0;
    k->bound = k->next = bound;
    for (uint32_t r = 0; r < RESOURCES; ++r) {
        if (r == bound || resource_ps[r] < next_ps) continue;
        k->next = r;
        next_ps = resource_ps[r];
    }
    uint64_t then = k->bound == RESOURCE_LAUNCH || k->next == RESOURCE_LAUNCH ? next_ps : launch + next_ps;
    double gain = then ? (double)time_ps / (double)then * 1000 : 0;
    k->bound_permille = verdict_permille(resource_ps[bound], time_ps);
    k->next_permille = verdict_permille(next_ps, time_ps);
    k->next_gain_permille = gain > 1e6 ? 1000000 : (uint32_t)gain;
}

void verdict_advise_program(const struct lab_timeline *t, char *out, size_t bytes)
{
    uint64_t alone[LAB_ENGINES], idle = lab_alone(t, alone), all = t->time_ps ? t->time_ps : 1;
    int most = 0;
    for (int e = 1; e < LAB_ENGINES; ++e)
        if (alone[e] > alone[most]) most = e;
    if (idle > alone[most])
        message_print(
            out, bytes,
            "during %u %% of the time nothing is at work: hand over larger pieces, wait only at the end, and allocate "
            "before the clock runs",
            (unsigned)(100 * idle / all));
    else
        message_print(out, bytes, lonely[most], (unsigned)(100 * alone[most] / all));
}
