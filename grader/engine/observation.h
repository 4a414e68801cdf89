// An observation: the result of one launch on an engine, with status, time, counters and findings. It has a fixed
// layout without pointers, because it crosses the border between runner and judge. The judge checks each field before
// it uses one (wire/check.c).
#ifndef ENGINE_OBSERVATION_H
#define ENGINE_OBSERVATION_H

#include <stdint.h>

#include "device/occupancy.h"
#include "engine/counter.h"
#include "engine/coverage.h"
#include "engine/finding.h"

enum {
    OBSERVATION_FINDINGS = 64, // most findings, after those with one cause were merged
    OBSERVATION_LINES = 512,   // most source lines with counters
    OBSERVATION_ACCESSES = 64, // most memory accesses with an example request
    OBSERVATION_LANES = 32,
    OBSERVATION_PRINT = 64 << 10, // most bytes of printf output
    OBSERVATION_MESSAGE = 256,
    REFUSAL_NUMBERS = 3,
};

// The resources of the timing model. One of them limits the speed of a kernel.
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
    RESOURCES
};
extern const char *const observation_resource_name[RESOURCES]; // "memory bandwidth", ...

// The reason why a launch was refused: a row of refusal.def, and the numbers in its sentence.
enum refusal_kind {
    REFUSAL_none, // not refused, or for a reason that only `message` tells
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
    OBSERVED_OK,          // every block ran to its end; there may be findings
    OBSERVED_FAULT,       // stopped by a finding after which the kernel cannot continue (trap, deadlock, endless loop)
    OBSERVED_BAD_LAUNCH,  // the device refuses this configuration; `refusal` and `message` tell why
    OBSERVED_UNSUPPORTED, // the engine does not support a feature of the image, which `message` names with its line
    OBSERVED_STATUSES
};

struct line_counters {
    uint32_t file; // enum finding_file
    uint32_t line;
    struct counters counters;
};

// An example request of a source line: the addresses of one warp's lanes, in the first block that ran. It is the most
// expensive access of this line with this space and kind.
struct line_access {
    uint8_t file;  // enum finding_file
    uint8_t space; // SPACE_GLOBAL or SPACE_SHARED
    uint8_t kind;  // enum access_kind
    uint8_t bytes; // accessed at each lane's address: 1 to 16
    uint32_t line;
    uint32_t mask;                       // active lanes; at least one
    uint32_t warp;                       // number of the warp in its block
    uint32_t block[3];                   // index of the block
    uint32_t excess;                     // sectors, or shared wavefronts, above the minimum for so many lanes
    int32_t buffer;                      // engine buffer, or -1
    uint64_t origin;                     // address of the array's first byte, or 0
    uint64_t address[OBSERVATION_LANES]; // of the lanes in `mask`; in shared memory: offset from its start
    char symbol[FINDING_SYMBOL];         // shared or device variable's name; NUL-terminated; may be empty
};

struct observation {
    uint32_t status;                 // enum observation_status
    uint32_t bound;                  // enum resource
    uint64_t time_ps;                // picoseconds, launch included
    uint64_t resource_ps[RESOURCES]; // time that each resource alone would take
    uint64_t blocks, blocks_run;     // in the grid; executed: fewer if sampled, with counters scaled to the grid
    uint32_t registers;              // per thread
    uint32_t shared_bytes;           // per block, static and dynamic
    uint32_t local_bytes;            // per thread
    uint32_t blocks_per_sm;          // resident blocks
    uint32_t occupancy_permille;     // resident warps / maximum of the multiprocessor, in 1/1000
    uint32_t occupancy_limit;        // enum occupancy_limit
    struct refusal refusal;
    struct counters counters;
    uint32_t nlines, nfindings, naccesses;
    uint64_t findings_dropped;                       // findings that did not fit
    uint32_t print_bytes;                            // valid bytes of `print`
    uint32_t print_dropped;                          // 1: the kernel printed more than fits
    struct line_counters line[OBSERVATION_LINES];    // most expensive first
    struct finding finding[OBSERVATION_FINDINGS];    // most severe first
    struct line_access access[OBSERVATION_ACCESSES]; // by line; only from the simulator
    struct coverage coverage;
    char message[OBSERVATION_MESSAGE];
    char print[OBSERVATION_PRINT];
};

// Sets the refusal with the numbers of its sentence, and the message. Returns -1.
int observation_refuse(struct observation *, enum refusal_kind, uint64_t, uint64_t, uint64_t);
// Prints the refusal, if there is one, into `message`, in the language of this process.
void observation_say(struct observation *);

#endif
