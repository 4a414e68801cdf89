// The host trace is the record of a host program's run. The host trace lists the kernels that the program launched, the
// operations of the devices with their times, and the defects that the checks found.
//
// The host trace is one piece of memory of fixed layout. Only the runner process writes the host trace. After the
// program has ended, the grader copies the host trace, and checks the copy with host_trace_check().
#ifndef HOST_BORDER_HOST_TRACE_H
#define HOST_BORDER_HOST_TRACE_H

#include <stdint.h>

#include "engine/observation.h"
#include "host/border/host.h"
#include "wire/channel.h"

struct text;

enum {
    HOST_TRACE_KERNELS = 256,  // different kernels; the last entry also counts the launches of further kernels
    HOST_TRACE_SPANS = 8192,   // operations in the timeline; later operations are only counted
    HOST_TRACE_FINDINGS = 128, // different findings
    HOST_TRACE_LINES = 4096,   // source lines of device code with counters, of all kernels together
    HOST_TRACE_SOURCES = 64,   // files of device code that findings and lines refer to
    HOST_TRACE_NAME = 256,     // bytes of a kernel's mangled name or a file's path, NUL included; longer ones are cut
};

// Describes one launch of a kernel, by the model of time.
struct host_trace_launch {
    uint64_t time_ps, model_ps;      // model_ps: the time to which `resource_ps` relates; 0: no time was modelled
    uint64_t resource_ps[RESOURCES]; // as in struct observation
    uint64_t inst;                   // warp instructions
    uint32_t grid[3], block[3];
    uint32_t shared_bytes, registers, blocks_per_sm, occupancy_permille, occupancy_limit, bound;
    uint32_t linked, pad; // linked 1: the kernel waits for the link to the host, which takes longer than model_ps
};

struct host_trace_kernel {
    char name[HOST_TRACE_NAME];
    uint64_t launches, time_ps, longest_ps; // time_ps: total of all launches; longest_ps: the longest launch
    uint32_t grid[3], block[3];             // of the kernel's first launch
    uint32_t shared_bytes, registers, local_bytes, blocks_per_sm, occupancy_permille, bound; // of the first launch
    uint32_t sampled, pad; // sampled 1: some launches executed only a sample of their blocks; the figures are scaled up
    struct counters counters;         // sums over all launches
    struct host_trace_launch longest; // the longest launch; of equally long ones, the one with the most instructions
};

// Describes what a source line of device code costs, over all launches of a kernel.
struct host_trace_line {
    uint32_t kernel, source; // index into host_trace.kernel; index into host_trace.source
    uint32_t line, pad;
    struct counters counters;
};

enum host_trace_span_kind {
    SPAN_H2D,
    SPAN_D2H,
    SPAN_D2D,
    SPAN_PEER,
    SPAN_FILL,
    SPAN_KERNEL,
    SPAN_HOST, // the host computes its own share of a lab's work
    SPAN_KINDS,
};

// Describes one operation of a device in the timeline of a host program.
struct host_trace_span {
    uint32_t kind;           // enum host_trace_span_kind
    uint32_t device, stream; // stream 0: the legacy default stream
    uint32_t kernel;         // SPAN_KERNEL: index into host_trace.kernel
    uint32_t pinned;         // copies: 1 if the host's side is page-locked
    uint32_t used;           // 1: outputs of a host test come from the operation
    uint64_t bytes;
    uint64_t issue_ps, start_ps, end_ps; // times on the virtual clock
    struct host_place place;             // place of the call
};

// Lists the kinds of defects in host code. For a defect inside a kernel, the field `defect` is DEFECT_NONE, and struct
// finding gives the kind.
enum host_trace_defect {
    DEFECT_NONE, // the field `finding` describes the defect
#define HOST_DEFECT(id, word, severity, text, hint) DEFECT_##id,
#include "host/border/defect.def"
#undef HOST_DEFECT
    HOST_TRACE_DEFECTS
};
struct host_trace_defect_info {
    const char *id, *word, *text, *hint;
    enum finding_severity severity;
};
extern const struct host_trace_defect_info host_trace_defect_info[HOST_TRACE_DEFECTS]; // DEFECT_NONE: empty texts

struct host_trace_finding {
    uint32_t defect; // enum host_trace_defect
    uint32_t kernel; // index into host_trace.kernel, or HOST_TRACE_KERNELS: the finding concerns no kernel
    uint32_t code;   // UNCHECKED: cudaError_t
    uint32_t stream, other_stream;
    uint32_t reason, silent;       // UNCHECKED: as in struct host_unchecked, whose `a` and `b` are `bytes` and `offset`
    uint32_t pad, allocated;       // 1: `origin` is where the memory, stream or event was created
    uint64_t bytes, offset, count; // size of the memory; position in the memory; how often the finding occurred
    struct host_place place, other, origin; // place: the call; other: the conflicting call; origin: see `allocated`
    // If defect is DEFECT_NONE, this field holds the kernel's finding. Its buffer is -1 or a number that only the
    // runner uses. The path of each of its places is an index into host_trace.source.
    struct finding finding;
    char text[64]; // name of a call; may be empty
};

struct host_trace {
    struct channel_build build; // HOST_TRACE_BUILD
    uint32_t devices, pad_devices;
    char device[32], title[64];  // "h200", "NVIDIA H200"
    uint32_t sms, pad_sms;       // multiprocessors of each device
    uint64_t host_ps;            // the time on the virtual clock when the program ended, in ps
    uint32_t goodbye, exit_code; // goodbye 1: the program sent `goodbye` before its end
    // recalled: number of launches whose result came from the launch cache. most_bytes: the peak of allocated device
    // memory.
    uint64_t launches, recalled, copies, fills, allocations, allocated_bytes, most_bytes;
    uint64_t h2d_bytes, d2h_bytes;
    uint32_t nkernels, nspans, nfindings, nsources, nlines, pad_lines;
    uint32_t error;     // the last sticky cudaError_t, or 0
    uint32_t exhausted; // 1: the devices were stopped, because their budget did not cover a call's work
    uint64_t spans_total, findings_dropped;
    struct host_trace_kernel kernel[HOST_TRACE_KERNELS];
    struct host_trace_span span[HOST_TRACE_SPANS];
    struct host_trace_finding finding[HOST_TRACE_FINDINGS];
    struct host_trace_line line[HOST_TRACE_LINES];    // only lines of the user's files; later ones are left out
    char source[HOST_TRACE_SOURCES][HOST_TRACE_NAME]; // paths from the line tables of the device code
    char message[OBSERVATION_MESSAGE]; // the feature that the simulator does not support, or the reason why a kernel
                                       // stopped; may be empty
};

#define HOST_TRACE_BUILD                                                                                               \
    ((struct channel_build){.magic = UINT64_C(0x6563617274776177), /* "wawtrace" */                                    \
                            .version = 5,                                                                              \
                            .bytes = {sizeof(struct host_trace), sizeof(struct host_trace_kernel),                     \
                                      sizeof(struct host_trace_span), sizeof(struct host_trace_finding)}})

// Appends the name of the failed call of a finding UNCHECKED, its error and the reason: "cudaMemcpy:
// cudaErrorInvalidValue, …".
void host_trace_failure(const struct host_trace_finding *, struct text *out);

// Returns the name of a value of cudaMemcpyKind (enum host_direction) below HOST_ANY_DIRECTION.
const char *host_trace_kind(uint64_t direction);

// Appends advice on how to prevent the failure of a call, from the fields `reason`, `bytes` and `offset` of its
// finding. Returns 0, or -1 if the reason is unknown.
int host_trace_advice(uint32_t reason, uint64_t a, uint64_t b, struct text *out);

// Checks a copy of a host trace in the same way as wire_check_observation() checks an observation (wire/wire.h).
// Returns 0, or -1 with the reason in `why`.
int host_trace_check(struct host_trace *, char why[OBSERVATION_MESSAGE]);

#endif
