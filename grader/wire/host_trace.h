// The record of a host program's run: which kernels it launched, what its devices did when, and what was found wrong.
// One piece of memory of fixed layout, written by the runner alone and read by the grader when the program has ended.
// The grader believes nothing of it before host_trace_check, on a copy of its own.
#ifndef WIRE_HOST_TRACE_H
#define WIRE_HOST_TRACE_H

#include <stdint.h>

#include "engine/observation.h"
#include "wire/channel.h"
#include "wire/host.h"

enum {
    HOST_TRACE_KERNELS = 256,  // kernels told apart; more are counted under the last
    HOST_TRACE_SPANS = 8192,   // of the timeline, the first ones
    HOST_TRACE_FINDINGS = 128, // told apart
    HOST_TRACE_SOURCES = 64,   // files of device code that findings stand in
    HOST_TRACE_NAME = 256,     // bytes of a kernel's mangled name or a file's path, NUL included; longer ones are cut
};

struct host_trace_kernel {
    char name[HOST_TRACE_NAME];
    uint64_t launches, time_ps, longest_ps; // time: all launches together
    uint32_t grid[3], block[3];             // of the first launch
    uint32_t shared_bytes, registers, local_bytes, blocks_per_sm, occupancy_permille, bound; // likewise
    uint32_t sampled, pad;    // 1: of some launches only some blocks were run, and times and counters are scaled
    struct counters counters; // of all launches
};

enum host_trace_span_kind {
    SPAN_H2D,
    SPAN_D2H,
    SPAN_D2D,
    SPAN_PEER,
    SPAN_FILL,
    SPAN_KERNEL,
    SPAN_HOST, // the host's own share of a lab's work
    SPAN_KINDS,
};
struct host_trace_span {
    uint32_t kind;           // enum host_trace_span_kind
    uint32_t device, stream; // stream 0: the legacy default stream
    uint32_t kernel;         // index, SPAN_KERNEL only
    uint32_t pinned, pad;    // copies: the host's side is page-locked
    uint64_t bytes;
    uint64_t issue_ps, start_ps, end_ps;
    struct host_place place;
};

// What the host did wrong (a kernel's own findings have their kind in struct finding).
enum host_trace_hazard {
    HAZARD_NONE, // `finding` says it
#define HAZARD(id, word, severity, text, hint) HAZARD_##id,
#include "wire/hazard.def"
#undef HAZARD
    HOST_TRACE_HAZARDS
};
struct host_trace_hazard_info {
    const char *id, *word, *text, *hint;
    enum finding_severity severity;
};
extern const struct host_trace_hazard_info host_trace_hazard_info[HOST_TRACE_HAZARDS]; // of HAZARD_NONE: nothing

struct host_trace_finding {
    uint32_t hazard; // enum host_trace_hazard
    uint32_t kernel; // index, or HOST_TRACE_KERNELS: no kernel's
    uint32_t code;   // cudaError_t, UNCHECKED only
    uint32_t stream, other_stream;
    uint32_t allocated; // 1: `origin` is where the memory (stream, event) was made
    uint64_t bytes, offset, count;
    struct host_place place, other, origin; // of the call; of the one it collides with; see allocated
    // HAZARD_NONE only: buffer is -1 or a number of the runner's own; a place's path is an index into session.source
    struct finding finding;
    char text[64]; // a call's name; may be empty
};

struct host_trace {
    struct channel_build build; // HOST_TRACE_BUILD
    uint32_t devices, pad_devices;
    char device[32], title[64];  // "h200", "NVIDIA H200"
    uint32_t sms, pad_sms;       // multiprocessors of each
    uint64_t host_ps;            // the clock when the program ended
    uint32_t goodbye, exit_code; // goodbye 1: it ended by itself
    uint64_t launches, recalled, copies, fills, allocations, allocated_bytes, most_bytes; // recalled: not run anew
    uint64_t h2d_bytes, d2h_bytes;
    uint32_t nkernels, nspans, nfindings, nsources;
    uint32_t error, pad; // the last sticky cudaError_t, or 0
    uint64_t spans_total, findings_dropped;
    struct host_trace_kernel kernel[HOST_TRACE_KERNELS];
    struct host_trace_span span[HOST_TRACE_SPANS];
    struct host_trace_finding finding[HOST_TRACE_FINDINGS];
    char source[HOST_TRACE_SOURCES][HOST_TRACE_NAME]; // as the line tables of the device code name them
    char message[OBSERVATION_MESSAGE]; // what the simulator does not support, or why a kernel stopped; may be empty
};

#define HOST_TRACE_BUILD                                                                                               \
    ((struct channel_build){.magic = UINT64_C(0x6563617274776177), /* "wawtrace" */                                    \
                            .version = 2,                                                                              \
                            .bytes = {sizeof(struct host_trace), sizeof(struct host_trace_kernel),                     \
                                      sizeof(struct host_trace_span), sizeof(struct host_trace_finding)}})

// On a copy. 0, or -1 with what is wrong in why. Text loses control characters.
int host_trace_check(struct host_trace *, char why[OBSERVATION_MESSAGE]);

#endif
