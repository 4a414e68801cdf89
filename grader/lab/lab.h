// Describes a lab: the contract of its kernels, its cases with inputs and expected values, and its rubric.
//
// In a kernel lab, the student writes kernels, and the lab launches them (plan). In a host lab, the student writes host
// code that launches a kernel of the lab; main() is in labs/<slug>/main.h.
//
// Each lab is a file labs/<slug>/lab.c, which defines `const struct lab <slug>`. Make collects them in lab_all[]. For
// each case, the judge makes a plan: the lab declares buffers and launches (plan), and computes inputs (fill) and
// expected values (expect). The plan stays in the judge: inputs are copied to a runner, expected values never.
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
    LAB_STEPS = 8, // most launches of a case
    LAB_HINTS = 3,
    LAB_TECHNIQUES = 8,
};

enum lab_type { LAB_F32, LAB_U32, LAB_I32 }; // 4 bytes each
enum lab_role {
    LAB_INPUT,  // filled before the launch; must be unchanged afterwards
    LAB_OUTPUT, // poisoned before the launch; compared afterwards
    LAB_UPDATE, // filled before the launch, compared afterwards (such as the bins of a histogram)
    LAB_SCRATCH // unwritten before the launch, not compared
};

enum lab_case_flag {
    CASE_HIDDEN = 1, // values and sizes are not shown
    CASE_SMALL = 2,  // also judged on the unoptimised image
    CASE_SPEED = 4,  // measured for speed and technique; outputs of the executed blocks are compared. On a GPU, some
                     // words of each input are moved to other places in it for each launch, so it must allow that
};
struct lab_case {
    const char *name;       // "33 x 65, denormals"
    uint32_t dim[LAB_DIMS]; // sizes; the lab defines their meaning
    const char *values;     // how inputs are drawn, a word of the lab: "random", "equal", …
    uint32_t flags;         // enum lab_case_flag
};

// The student's LAUNCH(kernel, …) as read from the image, with the layout of `struct launch` in the kit's header. 0
// means "not given": then block is 1, tile is equal to block, and the grid follows from the extent. The judge has
// checked the shapes of a plan.
struct lab_shape {
    int64_t block[3];
    int64_t tile[3]; // elements of the extent that one block covers
    int64_t grid[3]; // fixed number of blocks
    int64_t shared;  // bytes of dynamic shared memory
    int64_t per_sm;  // blocks for each multiprocessor; the kernel then loops over the extent (grid-stride)
};

struct lab_buffer {
    const char *name; // as in the kernel's parameter list; findings use it
    enum lab_type type;
    enum lab_role role;
    uint64_t count; // elements
    union {
        void *data; // INPUT, UPDATE: initial content, owned by the plan's arena; NULL for OUTPUT and SCRATCH
        float *f32;
        uint32_t *u32;
        int32_t *i32;
    };
    // OUTPUT, UPDATE, set by expect: an element e is right if |e - expected| <= bound; NaN is never right. bound NULL:
    // e must be equal. Owned by the plan's arena.
    double *expected, *bound;
    uint8_t *skipped; // a byte for each element, 1: not compared; NULL: all are compared. Only for a measured case
                      // whose expected values would take too long to compute
};

struct lab_step {
    uint32_t kernel; // index into lab->kernel
    uint64_t extent[3];
    struct engine_launch launch; // grid and block are set by lab_step(); a buffer is its index in the plan
};

struct lab_plan {
    const struct lab *lab;
    const struct lab_case *which;
    const uint32_t *dim; // which->dim
    struct lab_shape shape[LAB_KERNELS];
    uint32_t sms;    // multiprocessors of the device, for per_sm
    uint64_t secret; // measured case: seed by which expect() chooses the elements to compare; else 0
    struct arena *arena;
    struct lab_buffer buffer[LAB_BUFFERS];
    uint32_t nbuffers;
    struct lab_step step[LAB_STEPS];
    uint32_t nsteps;
    char rejected[OBSERVATION_MESSAGE]; // a sentence if the shape breaks the contract, else empty
};

// ------------------------------------------------------------------------------------------------------- host labs
// The plan of a host lab only declares buffers: inputs and outputs of words, in the order of main.h. The given kernel,
// kernel[0], is in the kit's header <name>.h. Its parameters are (in, out, n), and out[i] depends only on in[i]. An
// output counts only if a copy from a device brought the value that this kernel wrote.
struct lab_host {
    uint32_t devices;               // number of simulated devices
    uint64_t host_ps;               // time for a word that the host computes; 0: the host must compute none
    uint32_t (*map)(uint32_t word); // computes the result of the given kernel for a word
    // Words in the speed case on GPUs (dim[0]), in one input and one output. The judge draws the input.
    uint32_t card_words;
};

enum lab_engine { LAB_COPY_IN, LAB_KERNEL, LAB_COPY_OUT, LAB_PEER, LAB_HOST, LAB_ENGINES };
struct lab_span { // an operation of a device, or work of the host
    enum lab_engine engine;
    uint32_t device;
    uint32_t stream;                            // 0: the default stream; others from 1, in the order of first use
    uint32_t line;                              // of the call in the student's file; 0: unknown
    uint32_t page_locked;                       // copies: 1 if the host memory is page-locked
    uint64_t issue_ps, start_ps, end_ps, bytes; // issue_ps: when the host issued it; 0 if before the timeline
};
// The operations in the measured part of a host program, by start. Times count from its beginning.
struct lab_timeline {
    struct lab_span *span;
    uint32_t count;
    uint64_t dropped;      // spans that did not fit
    uint64_t time_ps;      // duration of the measured part
    uint64_t mapped_bytes; // bytes of host memory that kernels accessed directly (zero-copy)
    uint64_t host_words;   // words that the host computed
};
// Returns the time in ps in which spans with different keys run at once. Spans with key() -1 do not count.
uint64_t lab_overlap(const struct lab_timeline *, int (*key)(const struct lab_span *));
// Stores for each kind of engine the time in ps in which one engine of this kind runs and no other. Returns the time in
// which nothing runs.
uint64_t lab_alone(const struct lab_timeline *, uint64_t alone[LAB_ENGINES]);

// The results of the speed case. Arrays are indexed by kernel; counters are scaled to the whole grid.
struct lab_evidence {
    const struct lab_timeline *timeline; // host labs only, which have only `timeline` and `plan`
    const struct lab_plan *plan;         // of the student's kernels
    const struct observation *student[LAB_KERNELS], *baseline[LAB_KERNELS]; // last launch of each kernel; never NULL
    struct counters student_sum, baseline_sum;                              // of all launches
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
    const char *kernel[LAB_KERNELS]; // names, in the order of execution
    const struct lab_case *cases;
    uint32_t ncases;      // exactly one has CASE_SPEED
    double minimum, full; // speedups over the baseline: to pass, and for full marks
    void (*plan)(struct lab_plan *);
    void (*fill)(struct lab_plan *, struct prng *);
    void (*expect)(struct lab_plan *);
    void (*technique)(const struct lab_evidence *, struct lab_techniques *);
    const char *hint[LAB_HINTS];
    const struct lab_host *host; // NULL: a kernel lab
};
// All labs, sorted by name; the last element is NULL. Make writes this array into build/.
extern const struct lab *const lab_all[];
// Returns the case with CASE_SPEED.
const struct lab_case *lab_speed_case(const struct lab *);
// Returns the lab with the name "lab3", "3" or "lab3_syncthreads", or NULL if there is none.
const struct lab *lab_find(const char *name);

// For plan(): declares a buffer of `count` elements and returns its index. Inputs and updates get zeroed data.
int lab_buffer(struct lab_plan *, const char *name, enum lab_type, enum lab_role, uint64_t count);
// Stores the number of blocks, for each axis, that `kernel` has for an extent and its shape.
void lab_grid(const struct lab_plan *, uint32_t kernel, const uint64_t extent[3], uint32_t grid[3]);
// Adds a launch of `kernel` for an extent of x × y × z elements. Then add its arguments in their order.
struct lab_step *lab_step(struct lab_plan *, uint32_t kernel, uint64_t x, uint64_t y, uint64_t z);
void lab_arg_buffer(struct lab_step *, int buffer);
void lab_arg_u32(struct lab_step *, uint32_t value);
void lab_arg_f32(struct lab_step *, float value);
// Rejects the student's shape, which breaks the contract, with a sentence. Only the first call counts.
void lab_reject(struct lab_plan *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// For expect(): sets `expected` of a buffer to zeros, and `bound`, too, if `bounded` is 1. May be called again for
// other inputs.
void lab_expected(struct lab_plan *, int buffer, int bounded);
// For technique(): adds a condition; `holds` is 1 if the counters fulfil it.
void lab_technique(struct lab_techniques *, int holds, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The result of comparing an output.
enum { LAB_MISMATCHES = 3 };
struct lab_comparison {
    uint64_t wrong, poisoned; // wrong elements; those of them that are unchanged since before the launch
    uint32_t shown;
    struct lab_mismatch {
        uint64_t index;
        double got, expected; // integers are exact in a double
    } mismatch[LAB_MISMATCHES];
};
// Compares an output. `got` has buffer->count elements of 4 bytes; `poison` has the values before the launch, or is
// NULL.
struct lab_comparison lab_compare(const struct lab_buffer *, const void *got, const void *poison);

// Fills an array with random numbers. `values` is "random" (from [-1, 1)), "equal" (all 1.5), "range" (magnitudes from
// 1e-6 to 1e6 of both signs), "denormal", "zero", "ones" or "integers" (-8 to 8). Another word is a BUG().
void lab_fill_f32(float *data, uint64_t count, const char *values, struct prng *);

#endif
