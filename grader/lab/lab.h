// What a lab is: the contract of its kernels, its cases with inputs and expected values, and its rubric.
//
// In a kernel lab the student writes kernels, and the lab launches them (plan). In a host lab he writes host code that
// launches a kernel which the lab gives; the main() around it is labs/<slug>/main.h.
//
// A lab is one file, labs/<slug>/lab.c, that defines `const struct lab <slug>`; Make collects them into lab_all[].
// For each case the judge makes a plan: the lab declares buffers and launches (plan), fills the inputs (fill) and the
// expected values (expect). A plan belongs to the judge alone: inputs are copied to a runner, expected values never.
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/prng.h"
#include "engine/engine.h"

enum {
    LAB_DIMS = 4,
    LAB_BUFFERS = 8,
    LAB_KERNELS = 6,
    LAB_STEPS = 8, // launches of one case
    LAB_HINTS = 3,
    LAB_TECHNIQUES = 8,
};

enum lab_type { LAB_F32, LAB_U32, LAB_I32 }; // all of 4 bytes
enum lab_role {
    LAB_INPUT,  // filled before the launch; must be unchanged after it
    LAB_OUTPUT, // poisoned before the launch; compared after it
    LAB_UPDATE, // filled before, compared after (a histogram's bins)
    LAB_SCRATCH // never written before the launch, not compared
};

enum lab_case_flag {
    CASE_HIDDEN = 1, // its values and sizes are not shown
    CASE_SMALL = 2,  // judged on the unoptimised image as well
    CASE_SPEED = 4,  // measured, for speed and technique; of its outputs, what the simulator ran is compared. A card
                     // measures it with some words of each input put in other places of it: it must bear that
};
struct lab_case {
    const char *name;       // "33 x 65, denormals"
    uint32_t dim[LAB_DIMS]; // the lab's own meaning
    const char *values;     // the lab's own word for how inputs are drawn: "random", "equal", …
    uint32_t flags;         // enum lab_case_flag
};

// The student's LAUNCH(kernel, …), as read from the image; same layout as `struct launch` of the kit's device header.
// Zeros mean "not given": block 1, tile = block, grid from the extent. A plan's are within judge_shape_check's limits.
struct lab_shape {
    int64_t block[3];
    int64_t tile[3]; // elements of the extent that one block covers
    int64_t grid[3]; // fixed number of blocks
    int64_t shared;  // bytes of dynamic shared memory
    int64_t per_sm;  // blocks per SM; the kernel then strides over the extent
};

struct lab_buffer {
    const char *name; // as in the kernel's parameter list: findings use it
    enum lab_type type;
    enum lab_role role;
    uint64_t count; // elements
    union {
        void *data; // INPUT, UPDATE: initial contents, owned by the plan's arena; NULL for OUTPUT and SCRATCH
        float *f32;
        uint32_t *u32;
        int32_t *i32;
    };
    // OUTPUT, UPDATE, after expect: an element e is right when |e - expected| <= bound (NaN is never right), integers
    // when equal. Owned by the plan's arena; bound NULL: exact.
    double *expected, *bound;
    uint8_t *skipped; // a byte for each element, 1: it is not compared; NULL: all are. Only of a measured case that is
                      // too large to be worked out whole
};

struct lab_step {
    uint32_t kernel; // index into lab->kernel
    uint64_t extent[3];
    struct engine_launch launch; // grid and block set by lab_step(); buffers by their index in the plan
};

struct lab_plan {
    const struct lab *lab;
    const struct lab_case *which;
    const uint32_t *dim; // which->dim
    struct lab_shape shape[LAB_KERNELS];
    uint32_t sms;    // of the device, for per_sm
    uint64_t secret; // for expect(), of a measured case: which elements are compared; 0 elsewhere
    struct arena *arena;
    struct lab_buffer buffer[LAB_BUFFERS];
    uint32_t nbuffers;
    struct lab_step step[LAB_STEPS];
    uint32_t nsteps;
    char rejected[OBSERVATION_MESSAGE]; // not empty: the shape breaks the contract; one sentence
};

// ------------------------------------------------------------------------------------------------------- host labs
// A host lab's plan declares buffers alone: inputs and outputs of words, in the order in which main.h names them. The
// kernel that it gives, kernel[0], stands in the kit's header <name>.h and is a map: parameters (in, out, n), out[i]
// from in[i] alone. Outputs count where a copy from a device brought what that kernel wrote there.
struct lab_host {
    uint32_t devices;               // simulated
    uint64_t host_ps;               // what a word takes that the host computes itself; 0: it must not
    uint32_t (*map)(uint32_t word); // what the given kernel makes of a word
    // The speed case on cards: so many numbers (dim[0]), in one input and one output, drawn by the judge.
    uint32_t card_words;
};

enum lab_engine { LAB_COPY_IN, LAB_KERNEL, LAB_COPY_OUT, LAB_PEER, LAB_HOST, LAB_ENGINES };
struct lab_span { // one operation of a device, or the host's share of the work
    enum lab_engine engine;
    uint32_t device;
    uint32_t stream;                            // 0: the default stream; else from 1 on, in the order of first use
    uint32_t line;                              // of the student's file that asked for it; 0: unknown
    uint32_t page_locked;                       // copies: 1: the host's side is
    uint64_t issue_ps, start_ps, end_ps, bytes; // issued by the host, which may be before the timeline begins: then 0
};
// What the devices did in the timed part of a host program, by start; times from its beginning.
struct lab_timeline {
    struct lab_span *span;
    uint32_t count;
    uint64_t dropped;      // spans that are not here
    uint64_t time_ps;      // of the whole
    uint64_t mapped_bytes; // of the host's memory that kernels read or wrote where it lies
    uint64_t host_words;   // that the host computed itself
};
// How long spans of different keys were under way at the same time; key() -1: the span does not count.
uint64_t lab_overlap(const struct lab_timeline *, int (*key)(const struct lab_span *));
// How long one engine of one device was at work and nothing else, by the kind of engine. Returns how long nothing was.
uint64_t lab_alone(const struct lab_timeline *, uint64_t alone[LAB_ENGINES]);

// What the speed case showed; arrays by kernel index, counters scaled to the whole grid.
struct lab_evidence {
    const struct lab_timeline *timeline; // host labs; and then nothing below but the plan
    const struct lab_plan *plan;         // the student's
    const struct observation *student[LAB_KERNELS], *baseline[LAB_KERNELS]; // last launch of each kernel; never NULL
    struct counters student_sum, baseline_sum;                              // over all launches
};
struct lab_technique {
    int holds;
    char text[160]; // "4.0 sectors a global load request (at most 5)"
};
struct lab_techniques {
    uint32_t count;
    struct lab_technique item[LAB_TECHNIQUES];
};

struct lab {
    const char *name;                // "lab3"
    const char *slug;                // "lab3_syncthreads"
    const char *title;               // "A prefix sum with __syncthreads"
    const char *task;                // one sentence: what the student writes
    const char *kernel[LAB_KERNELS]; // names, in the order they run
    const struct lab_case *cases;
    uint32_t ncases;      // exactly one has CASE_SPEED
    double minimum, full; // speedup over the baseline: to pass, and for full marks
    void (*plan)(struct lab_plan *);
    void (*fill)(struct lab_plan *, struct prng *);
    void (*expect)(struct lab_plan *);
    void (*technique)(const struct lab_evidence *, struct lab_techniques *);
    const char *hint[LAB_HINTS];
    const struct lab_host *host; // NULL: a kernel lab
};
// Ends with NULL; in the order of their names. Written by Make into build/.
extern const struct lab *const lab_all[];
const struct lab_case *lab_speed_case(const struct lab *);
// By "lab3", "3" or "lab3_syncthreads"; NULL if there is none.
const struct lab *lab_find(const char *name);

// For plan(): a buffer of `count` elements; its index. Inputs and updates get zeroed data to be filled.
int lab_buffer(struct lab_plan *, const char *name, enum lab_type, enum lab_role, uint64_t count);
// Blocks that kernel k will have over an extent (per axis), by its shape.
void lab_grid(const struct lab_plan *, uint32_t kernel, const uint64_t extent[3], uint32_t grid[3]);
// One launch of kernel k over an extent of x × y × z elements; arguments follow in order.
struct lab_step *lab_step(struct lab_plan *, uint32_t kernel, uint64_t x, uint64_t y, uint64_t z);
void lab_arg_buffer(struct lab_step *, int buffer);
void lab_arg_u32(struct lab_step *, uint32_t value);
void lab_arg_f32(struct lab_step *, float value);
// The shape breaks the contract: one sentence for the student. The first one counts.
void lab_reject(struct lab_plan *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// For expect(), which may be called again after inputs changed: zeroed expected values (and, when `bounded`, room for
// bounds) of a buffer.
void lab_expected(struct lab_plan *, int buffer, int bounded);
// For technique(): one condition that the counters must show.
void lab_technique(struct lab_techniques *, int holds, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Comparing one output: how many elements are wrong, and the first few of them.
enum { LAB_MISMATCHES = 3 };
struct lab_comparison {
    uint64_t wrong, poisoned; // poisoned: of the wrong ones, still as before the launch
    uint32_t shown;
    struct lab_mismatch {
        uint64_t index;
        double got, expected; // integers are exact in a double
    } mismatch[LAB_MISMATCHES];
};
// `got`: buffer->count elements of 4 bytes; `poison`: what an OUTPUT held before the launch (same shape), or NULL.
struct lab_comparison lab_compare(const struct lab_buffer *, const void *got, const void *poison);

// Draws of inputs that several labs share. Values: "random" [-1, 1), "equal" (all 1.5), "range" (magnitudes from 1e-6
// to 1e6, both signs), "denormal", "zero", "ones", "integers" (-8 … 8, exact in float). BUG() on another word.
void lab_fill_f32(float *data, uint64_t count, const char *values, struct prng *);

#endif
