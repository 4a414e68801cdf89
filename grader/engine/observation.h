// Defines an observation: the result of one kernel launch on an engine, with status, time, counters and findings. The
// layout of struct observation is fixed and has no pointers, because a runner process sends observations to the judge
// process. The judge checks each field of an observation before it uses the field (wire/wire_check.c).
#ifndef ENGINE_OBSERVATION_H
#define ENGINE_OBSERVATION_H

#include <stdint.h>

#include "device/occupancy.h"
#include "engine/counter.h"
#include "engine/coverage.h"
#include "engine/finding.h"

enum {
    OBSERVATION_FINDINGS = 64, // most findings; findings with the same cause count as one
    OBSERVATION_LINES = 512,   // most source lines with counters
    OBSERVATION_ACCESSES = 64, // most memory accesses with an example request
    OBSERVATION_LANES = 32,
    OBSERVATION_PRINT = 64 << 10, // most bytes of printf output
    OBSERVATION_MESSAGE = 256,
    REFUSAL_NUMBERS = 3,
};

// Lists the hardware resources of the timing model. One of the resources in enum resource limits the speed of a kernel.
enum resource {
    RESOURCE_LAUNCH,
    RESOURCE_ISSUE,
    RESOURCE_FP32,
    RESOURCE_INT,
    RESOURCE_FP64,
    RESOURCE_SFU,
    RESOURCE_LSU,
    RESOURCE_L2,
    RESOURCE_DRAM,
    RESOURCE_ATOMIC,
    RESOURCE_DISPATCH,
    RESOURCE_LATENCY,
    RESOURCE_WAITS, // warps that wait for other warps, longer than at barriers of whole blocks; 0: they do not
    RESOURCES
};
extern const char *const observation_resource_name[RESOURCES]; // text for reports, such as "memory bandwidth"

// The struct refusal describes why the simulator refused a launch. The field `kind` of struct refusal selects a
// sentence of refusal.def, and the field `number` holds the numbers in this sentence.
enum refusal_kind {
    REFUSAL_none, // the launch was not refused, or only `message` contains the reason
#define REFUSAL(id, sentence) REFUSAL_##id,
#include "engine/refusal.def"
#undef REFUSAL
    REFUSALS
};
struct refusal {
    uint32_t kind;
    uint64_t number[REFUSAL_NUMBERS];
};

enum observation_status {
    OBSERVED_OK,          // every block ran to its end; findings are possible
    OBSERVED_FAULT,       // stopped by a finding after which the kernel cannot continue (trap, deadlock, too many
                          // instructions)
    OBSERVED_BAD_LAUNCH,  // the device refuses this configuration; `refusal` and `message` contain the reason
    OBSERVED_UNSUPPORTED, // the engine lacks a feature that the image uses; `message` names the feature and its line
    OBSERVED_STATUSES
};

struct line_counters {
    uint32_t file; // enum finding_file
    uint32_t line;
    uint32_t path; // FILE_STUDENT: number of the file in the image's list of files; used only inside the runner
    uint32_t pad;
    struct counters counters;
};

// Describes an example of a warp's accesses to memory at a source line: the addresses of the warp's lanes. Only
// accesses of the first block that the launch executed become a struct line_access. Of the accesses of the launch's
// first executed block at one source line, in one memory space and of one kind, struct line_access describes the most
// expensive.
struct line_access {
    uint8_t file;  // enum finding_file
    uint8_t space; // SPACE_GLOBAL or SPACE_SHARED
    uint8_t kind;  // enum access_kind
    uint8_t bytes; // bytes accessed at each lane's address: 1 to 16
    uint32_t line;
    uint32_t mask;     // active lanes, one bit per lane; at least one
    uint32_t warp;     // number of the warp in its block
    uint32_t block[3]; // index of the block
    uint32_t excess;   // sectors, or shared-memory wavefronts, above the minimum for this number of lanes
    int32_t buffer;    // index of the accessed engine buffer, or -1
    uint64_t origin;   // address of the array's first byte; 0: unknown
    uint64_t address[OBSERVATION_LANES]; // addresses of the lanes in `mask`; in shared memory: offset from its start
    char symbol[FINDING_SYMBOL];         // name of the shared or device variable; NUL-terminated; may be empty
};

struct observation {
    uint32_t status;                 // enum observation_status
    uint32_t bound;                  // enum resource: the resource that limits the speed
    uint64_t time_ps;                // time in picoseconds, including the launch cost
    uint64_t resource_ps[RESOURCES]; // time in picoseconds that each resource alone would take
    uint32_t unseen_permille;        // part of the warps' time, in thousandths, on which the time model has no record
    uint64_t blocks, blocks_run; // blocks of the grid, and blocks executed; if fewer were executed, the counters are
                                 // scaled to the grid
    // Sampled launches only: words of the arguments' buffers that no host or launch had written before and that the
    // sampled blocks wrote, scaled to the grid. 0 if all blocks ran at once without a sample.
    uint64_t written_words;
    uint32_t exact;         // 1: the grid was divided wherever the counters of its blocks change, so a scaled counter
                            // is that of all blocks if blocks with equal counters do the same
    uint32_t registers;     // registers per thread
    uint32_t shared_bytes;  // shared memory per block in bytes, static and dynamic
    uint32_t local_bytes;   // local memory per thread in bytes
    uint32_t spilled_bytes; // bytes of spilled registers that a thread's instructions move
    uint32_t blocks_per_sm; // resident blocks per multiprocessor
    uint32_t occupancy_permille; // resident warps / most warps that a multiprocessor can hold, in 1/1000
    uint32_t occupancy_limit;    // enum occupancy_limit
    uint32_t linked, pad;        // linked 1: the link to the host's memory determines `time_ps`, not `bound`
    struct refusal refusal;
    struct counters counters;
    uint32_t nlines, nfindings, naccesses;
    uint64_t findings_dropped;                       // findings that did not fit into `finding`
    uint32_t print_bytes;                            // number of valid bytes in `print`
    uint32_t print_dropped;                          // 1: the kernel printed more than OBSERVATION_PRINT bytes
    struct line_counters line[OBSERVATION_LINES];    // most expensive lines first
    struct finding finding[OBSERVATION_FINDINGS];    // most severe findings first
    struct line_access access[OBSERVATION_ACCESSES]; // sorted by line; only the simulator fills this array
    struct coverage coverage;
    char message[OBSERVATION_MESSAGE];
    char print[OBSERVATION_PRINT];
};

// Records in the observation that the engine refused a launch, and prints the refusal's sentence from refusal.def into
// the observation's `message`. The three uint64_t arguments of observation_refuse() replace the conversions %llu in the
// refusal's sentence, in order. Returns -1.
int observation_refuse(struct observation *, enum refusal_kind, uint64_t, uint64_t, uint64_t);
// Prints the sentence that explains a refused launch into the observation's `message`, in the language of the calling
// process. Does nothing if the launch was not refused.
void observation_say(struct observation *);

#endif
