// What one launch on an engine showed: status, time, counters, findings. Fixed layout without pointers, because it
// crosses the border between runner and judge; every count in it is bounded by the arrays' sizes, and the judge
// checks each field (wire) before it believes one.
#ifndef ENGINE_OBSERVATION_H
#define ENGINE_OBSERVATION_H

#include <stdint.h>

#include "device/occupancy.h"
#include "engine/coverage.h"

enum {
    OBSERVATION_FINDINGS = 64, // findings kept, after merging those of one cause
    OBSERVATION_LINES = 512,   // source lines with counters of their own
    OBSERVATION_ACCESSES = 64, // memory accesses of which a request is kept as an example
    OBSERVATION_LANES = 32,
    OBSERVATION_PRINT = 64 << 10, // bytes of printf output kept
    OBSERVATION_MESSAGE = 256,
    FINDING_SYMBOL = 40,
    FINDING_WAITS = 4, // groups of threads that a deadlock names
    REFUSAL_NUMBERS = 3,
};

struct counters {
#define COUNTER(name, metric, meaning) uint64_t name;
#include "engine/counter.def"
#undef COUNTER
};

void counters_add(struct counters *sum, const struct counters *more);
// Of `run` blocks for `blocks` that do the same, rounded down; nothing changes when run is 0.
uint64_t counter_scaled(uint64_t count, uint64_t blocks, uint64_t run);
void counters_scale(struct counters *, uint64_t blocks, uint64_t run);
// One fact a row: name, metric, meaning, and where it lies in the struct.
struct counter_info {
    const char *name, *metric, *meaning;
    uint32_t offset; // bytes from the start of struct counters
};
extern const struct counter_info counter_info[];
extern const int counter_count;

enum finding_kind {
#define FINDING(id, word, severity, hint) FINDING_##id,
#include "engine/finding.def"
#undef FINDING
    FINDING_KINDS
};
enum finding_severity { FINDING_NOTE, FINDING_DEFECT };
struct finding_info {
    const char *id, *word, *hint;
    enum finding_severity severity;
};
extern const struct finding_info finding_info[FINDING_KINDS];

enum memory_space {
    SPACE_NONE,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,
    SPACE_REGISTER,
    SPACES
};
enum access_kind { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC, ACCESS_KINDS };

// Files are named by index, never by path: 0 is the student's file, 1 the kit's device header, 2 anything else.
enum finding_file { FILE_STUDENT, FILE_KIT, FILE_OTHER, FINDING_FILES };

// One end of a finding: where in the source, and which thread did it.
struct finding_place {
    uint8_t file;    // enum finding_file
    uint8_t access;  // enum access_kind
    uint16_t column; // from 1; 0: unknown
    uint32_t line;   // from 1; 0: unknown
    uint32_t path;   // the file's number in the image's own list; nothing that leaves the runner is looked up by it
    uint32_t block[3], thread[3];
};

// Threads low to high of a block, by their number in it, wait at a line (0: unknown).
struct finding_wait {
    uint32_t low, high, line;
};

// A defect of the student's kernel: data, never an error of ours.
struct finding {
    uint16_t kind;       // enum finding_kind
    uint8_t space;       // enum memory_space
    uint8_t second;      // 1 when `other` holds the second access of a race, or the other barrier
    uint8_t unoptimised; // 1: seen in the unoptimised image
    // Of a race only.
    uint8_t epoch;  // 1: both were of one block, and `after` and `before` say between which of its barriers
    uint8_t warp;   // 1: both were of one warp, each time it was seen
    uint8_t fence;  // 1: memory would order the two, were there a fence before the atomic or the flag that tells of it
    uint8_t strong; // 1: both were volatile
    struct finding_place at, other;
    uint32_t after, before;      // lines of the barriers that the block passed last before, and next; 0: none
    int32_t buffer;              // engine buffer it concerns, or -1
    uint32_t size;               // bytes of one element accessed
    int64_t offset;              // bytes from the start of the buffer or symbol; negative: before it
    uint64_t extent;             // bytes of the buffer or symbol
    uint64_t value;              // kind's own: lanes of a bad mask, lanes missing at a barrier, budget spent
    uint64_t count;              // how often it was seen in the launch
    char symbol[FINDING_SYMBOL]; // shared/local/device variable's name, demangled; NUL-terminated; may be empty
    uint32_t waits;              // of `wait`
    struct finding_wait wait[FINDING_WAITS]; // of a deadlock: who waits where, from the block's first thread on
    char text[120]; // assert's condition, what is wrong with a barrier or a call; NUL-terminated; may be empty
};

// The resource that bounds a kernel in the model of time.
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
extern const char *const resource_name[RESOURCES]; // "memory bandwidth", ...

// Why a launch is refused: a row of refusal.def, and the numbers of its sentence.
enum refusal_kind {
    REFUSAL_none, // or another reason, which `message` tells
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
    OBSERVED_OK,          // every block ran to its end; findings may still stand
    OBSERVED_FAULT,       // stopped by a finding that leaves nothing to go on with (trap, deadlock, endless loop)
    OBSERVED_BAD_LAUNCH,  // the device refuses this configuration; refusal and message say why
    OBSERVED_UNSUPPORTED, // the image needs what the engine does not have; message says what and where
    OBSERVED_STATUSES
};

struct line_counters {
    uint32_t file; // enum finding_file
    uint32_t line;
    struct counters counters;
};

// One real request of a line: where the lanes of one warp went, in the first block that ran. The worst of the line's
// accesses to that space and of that kind.
struct line_access {
    uint8_t file;  // enum finding_file
    uint8_t space; // SPACE_GLOBAL or SPACE_SHARED
    uint8_t kind;  // enum access_kind
    uint8_t bytes; // at each lane's address: 1 … 16
    uint32_t line;
    uint32_t mask;     // lanes that take part; at least one
    uint32_t warp;     // of the block
    uint32_t block[3]; //
    uint32_t excess;   // sectors, or passes through the banks, beyond what so many lanes need at the least
    int32_t buffer;    // engine buffer, or -1
    uint64_t origin;   // address of the array's first byte, or 0
    uint64_t address[OBSERVATION_LANES]; // of lanes in mask; shared memory: from its begin
    char symbol[FINDING_SYMBOL];         // shared or device variable's name; NUL-terminated; may be empty
};

struct observation {
    uint32_t status;                 // enum observation_status
    uint32_t bound;                  // enum resource
    uint64_t time_ps;                // picoseconds, launch included
    uint64_t resource_ps[RESOURCES]; // what each resource alone would take
    uint64_t blocks, blocks_run;     // in the grid; executed (fewer when sampled; counters are scaled to the grid)
    uint32_t registers;              // per thread
    uint32_t shared_bytes;           // per block, static and dynamic
    uint32_t local_bytes;            // per thread
    uint32_t blocks_per_sm;          // resident at once
    uint32_t occupancy_permille;     // resident warps over the SM's maximum
    uint32_t occupancy_limit;        // enum occupancy_limit
    struct refusal refusal;
    struct counters counters;
    uint32_t nlines, nfindings, naccesses;
    uint64_t findings_dropped;                       // more kinds or places than fit
    uint32_t print_bytes;                            // of `print`
    uint32_t print_dropped;                          // 1: the kernel printed more
    struct line_counters line[OBSERVATION_LINES];    // most expensive first
    struct finding finding[OBSERVATION_FINDINGS];    // worst first
    struct line_access access[OBSERVATION_ACCESSES]; // by line; modelled launches only
    struct coverage coverage;
    char message[OBSERVATION_MESSAGE];
    char print[OBSERVATION_PRINT];
};

// Refuses the launch, with the numbers in the order of the row's sentence. -1.
int observation_refuse(struct observation *, enum refusal_kind, uint64_t, uint64_t, uint64_t);
// Says the refusal, if there is one, in `message`, in the language of the process that calls it.
void observation_say(struct observation *);

#endif
