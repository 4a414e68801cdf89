// Defines a lab: its kernels, its test cases with inputs and expected values, and the technique and speedup that it
// requires.
//
// In a kernel lab, the student writes kernels, and the grader launches these kernels. In a host lab, the student writes
// host code that launches a kernel of the lab. The function main() of a host lab is in labs/<slug>/main.h, where <slug>
// is the name of the lab's folder.
//
// Each lab is a file labs/<slug>/lab.c, which defines `const struct lab <slug>`. The build collects all labs in the
// array lab_all[]. The judge makes a plan for each test case by calling three functions of the lab. A lab's plan()
// declares buffers and launches, its fill() computes inputs, and its expect() computes expected values. The plan of a
// test case, a list of its buffers and kernel launches, stays in the judge process. Inputs are copied to a runner
// process; expected values are never copied to a runner process.
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/prng.h"
#include "base/secret.h"
#include "engine/engine.h"

enum {
    LAB_DIMS = 4,
    LAB_BUFFERS = 8,
    LAB_KERNELS = 6,
    LAB_STEPS = 8, // most launches of a case
    LAB_HINTS = 3,
    LAB_DEVICES = 2, // maximum number of simulated devices
    LAB_TECHNIQUES = 8,
    LAB_USES = 2,
    LAB_CASES = 64,
};

enum lab_type { LAB_F32, LAB_U32, LAB_I32 }; // types of elements, 4 bytes each
enum lab_role {
    LAB_INPUT,  // filled before the launch; the kernel must not change the content
    LAB_OUTPUT, // poisoned before the launch, compared afterwards
    LAB_UPDATE, // filled before the launch, compared afterwards (such as the bins of a histogram)
    LAB_SCRATCH // unwritten before the launch, not compared afterwards
};

enum lab_case_flag {
    CASE_HIDDEN = 1, // reports do not show values and sizes; hidden cases stand behind the others
    CASE_SMALL = 2,  // the unoptimised image is also judged on this case
    CASE_SPEED = 4,  // measured for speed and technique; outputs of the executed blocks are compared. On a GPU, the
                     // judge moves some words of each input to other positions before each launch, so the lab must work
                     // with any order of words
};
// Says how a size of a hidden case is drawn: any number from `low` to `high` that leaves the remainder `rest` when
// divided by `step`, and is prime if `prime` is 1. If all fields of a struct lab_draw are zero, the size is fixed and
// not drawn.
struct lab_draw {
    uint32_t low, high, step, rest, prime;
};
#define LAB_BETWEEN(low, high)                                                                                         \
    {                                                                                                                  \
        low, high, 1, 0, 0                                                                                             \
    }
#define LAB_REST(step, rest, low, high)                                                                                \
    {                                                                                                                  \
        low, high, step, rest, 0                                                                                       \
    }
#define LAB_PRIME(low, high)                                                                                           \
    {                                                                                                                  \
        low, high, 1, 0, 1                                                                                             \
    }
struct lab_case {
    // name for reports, such as "33 x 65, denormals". A hidden case's name says what kind of sizes it has, and no
    // report contains it
    const char *name;
    uint32_t dim[LAB_DIMS];         // sizes; each lab defines their meaning
    const char *values;             // how inputs are generated; a word that the lab defines: "random", "equal", ...
    uint32_t flags;                 // set of enum lab_case_flag
    struct lab_draw draw[LAB_DIMS]; // hidden cases: how lab_draw() sets the sizes in `dim`
};

// Describes the launch shape of a kernel, which the student chooses with LAUNCH(kernel, ...). The layout of struct
// lab_shape is the layout of `struct launch` in the header warpwise.h. The value 0 in a field of struct lab_shape means
// that the student gave no value. The default of `block` is 1, the default of `tile` is `block`, and the default of
// `grid` follows from the extent of the problem. The judge has already checked the launch shapes that a plan contains.
struct lab_shape {
    int64_t block[3];
    int64_t tile[3]; // elements of the extent that one block covers
    int64_t grid[3]; // number of blocks; all 0: the grid follows from the extent
    int64_t shared;  // bytes of dynamic shared memory per block
    int64_t per_sm;  // blocks per multiprocessor; the kernel then loops over the extent (grid-stride loop)
};

enum lab_skipped { LAB_UNWRITTEN = 1, LAB_UNDRAWN };
struct lab_buffer {
    const char *name; // name as in the kernel's parameter list, used in findings
    enum lab_type type;
    enum lab_role role;
    uint64_t count; // number of elements
    union {
        void *data; // INPUT, UPDATE: initial content, owned by the plan's arena; NULL for OUTPUT and SCRATCH
        float *f32;
        uint32_t *u32;
        int32_t *i32;
    };
    // OUTPUT, UPDATE: set by expect() and owned by the plan's arena. An element e is right if |e - expected| <= bound;
    // NaN is never right. If bound is NULL, e must be equal to expected.
    double *expected, *bound;
    // One byte per element, of enum lab_skipped; 0: the element is compared. NULL: all elements are compared. Used only
    // in the measured case: the judge marks what no sampled block wrote, and expect() what it did not draw, where the
    // expected values of all elements would take too long to compute.
    uint8_t *skipped;
};

struct lab_step {
    uint32_t kernel; // index of the kernel in lab->kernel
    uint64_t extent[3];
    struct engine_launch launch; // lab_step() sets grid and block; a buffer argument is the buffer's index in the plan
};

struct lab_plan {
    const struct lab *lab;
    const struct lab_case *which;
    const uint32_t *dim; // equal to which->dim
    struct lab_shape shape[LAB_KERNELS];
    uint32_t sms;    // multiprocessors of the device, used with lab_shape.per_sm
    uint64_t secret; // measured case: seed with which expect() chooses the elements to compare; 0 in other cases
    struct arena *arena;
    struct lab_buffer buffer[LAB_BUFFERS];
    uint32_t nbuffers;
    struct lab_step step[LAB_STEPS];
    uint32_t nsteps;
    char rejected[OBSERVATION_MESSAGE]; // a sentence if the student's shape breaks the contract, otherwise empty
};

// ----------------------------------------------------------------------------------------------------------- host labs
// Describes the properties of a host lab. The plan of a host lab declares only input and output buffers of 32-bit
// words, in the order in which main.h uses them. The kernel that a host lab supplies, kernel[0], is in the header
// <name>.h. The parameters of kernel[0] are (in, out, n), and out[i] depends only on in[i]. The judge accepts an output
// word that kernel[0] wrote on a device and that a copy brought to the host. The judge also accepts an output word that
// the host computed, if the lab allows the host to compute words.
struct lab_host {
    uint32_t devices; // number of simulated devices
    uint64_t host_ps; // simulated time in ps for each word that the host computes; 0: the host must not compute words
    uint32_t (*map)(uint32_t word); // returns the result of the lab's kernel for a word
    // Number of words in each input and output in the speed case on GPUs; replaces dim[0]. The judge generates the
    // input.
    uint32_t card_words;
};
// Implement plan(), fill() and expect() of a host lab with one input and one output of dim[0] words each. The input is
// random, and lab_host_expect() computes the expected output with lab_host.map.
void lab_host_plan(struct lab_plan *);
void lab_host_fill(struct lab_plan *, struct prng *);
void lab_host_expect(struct lab_plan *);

enum lab_engine { LAB_COPY_IN, LAB_KERNEL, LAB_COPY_OUT, LAB_PEER, LAB_HOST, LAB_ENGINES };
struct lab_span { // an operation of a device, or work of the host
    enum lab_engine engine;
    uint32_t device;
    uint32_t stream;      // 0: the default stream; other streams count from 1 in the order of their first use
    uint32_t line;        // line of the call in the student's file; 0: unknown
    uint32_t operation;   // index of the operation in the host trace
    const char *name;     // name of the kernel, if the timeline is not a lab's; else NULL
    uint32_t page_locked; // for copies, 1: the host memory is page-locked
    uint32_t used;        // 1: outputs come from the operation, or the host computed some
    uint64_t issue_ps, start_ps, end_ps, bytes; // issue_ps: time of the host's call; 0: before the timeline
};
// Lists the operations in the timed part of a host program, in the order of their start. All times in struct
// lab_timeline count from the start of the program's timed part.
struct lab_timeline {
    struct lab_span *span;
    uint32_t count;
    uint64_t dropped;                   // number of spans that did not fit
    uint64_t time_ps;                   // duration of the measured part
    uint64_t mapped_bytes;              // bytes of host memory that kernels accessed directly (zero-copy)
    uint64_t device_words[LAB_DEVICES]; // number of output words that each device computed
    uint64_t host_words;                // number of output words that the host computed
};
// Returns how long operations (struct lab_span) with different keys overlap, in ps. The caller's function key() returns
// the key of an operation, a number such as the operation's device. lab_overlap() counts the time during which at least
// two operations with different keys run. The function lab_overlap() ignores operations with the key -1.
uint64_t lab_overlap(const struct lab_timeline *, int (*key)(const struct lab_span *));
// Stores in `alone`, for each kind of engine, the time in ps during which an engine of this kind is the only engine at
// work. Returns the time in ps during which no engine (kernels, a kind of copy, or the host) works.
uint64_t lab_alone(const struct lab_timeline *, uint64_t alone[LAB_ENGINES]);

// Names operations on which a kernel's results must depend, because the lab requires them as a technique. Operations on
// which no result depends do not fulfil the lab's technique, however many of them a kernel executes
// (judge/kernel/use.c).
struct lab_use {
    uint32_t kernel;
    uint32_t without; // set of enum engine_without
};
// LAB_USED is the smallest fraction of a kernel's results that must depend on the operations of a struct lab_use.
#define LAB_USED 0.25

// Contains the results of the speed case (the test case whose time is measured), on which a lab's technique() bases its
// conditions. The arrays of struct lab_evidence are indexed by kernel. The counters in struct lab_evidence are scaled
// from the executed blocks to the whole grid.
struct lab_evidence {
    const struct lab_timeline *timeline;            // used only in host labs, where only `timeline` and `plan` are set
    const struct lab_plan *plan;                    // plan with the launches of the student's kernels
    const struct observation *student[LAB_KERNELS]; // last launch of each kernel; never NULL
    // sums over all launches of each kernel; never NULL
    const struct counters *student_kernel[LAB_KERNELS], *baseline[LAB_KERNELS];
    struct counters student_sum, baseline_sum; // sums over all launches
    // fraction of the results (0 to 1) that depend on the operations of each of lab->use; 1: not known
    double used[LAB_USES];
};
// What a kernel moved, with its atomics: an atomic loads and stores. A word that is brought by an atomic that changes
// nothing is a word loaded.
struct lab_traffic {
    uint64_t ld_sectors, st_sectors, ld_bytes, st_bytes; // global memory
    uint64_t shared_ld, shared_st;                       // accesses of a warp to shared memory
    uint64_t shared_ld_conflicts, shared_st_conflicts;   // wavefronts beyond the fewest possible
};
struct lab_traffic lab_traffic_of(const struct counters *);

struct lab_technique {
    int holds;
    char text[240]; // what was seen, then what the lab asks: "4.0 sectors a load request; at most 5 are allowed"
};
struct lab_techniques {
    uint32_t count;
    struct lab_technique item[LAB_TECHNIQUES];
};

struct lab {
    const char *name;                // short name, such as "lab3"
    const char *slug;                // name of the lab's folder, such as "lab3_syncthreads"
    const char *title;               // title, such as "A prefix sum with __syncthreads"
    const char *task;                // one sentence that says what the student must write
    const char *kernel[LAB_KERNELS]; // names of the kernels, in the order of their execution
    const struct lab_case *cases;
    uint32_t ncases; // number of cases; exactly one case has CASE_SPEED
    // Speedups over the baseline on an H200: of the lesson's own step, and of the furthest step whose ideas the
    // handouts teach so far. The lab's thresholds follow from them (threshold.h).
    double lesson, furthest;
    void (*plan)(struct lab_plan *);
    void (*fill)(struct lab_plan *, struct prng *);
    void (*expect)(struct lab_plan *);
    void (*technique)(const struct lab_evidence *, struct lab_techniques *);
    struct lab_use use[LAB_USES]; // `without` 0: unused
    int without_block_barriers;   // 1: the lab forbids barriers of the block, so no advice names __syncthreads()
    const char *hint[LAB_HINTS];
    const struct lab_host *host; // NULL: the lab is a kernel lab
};
// Lists all labs, sorted by name; the last element is NULL. The build writes the definition of lab_all[] to a file in
// build/.
extern const struct lab *const lab_all[];
// Returns the lab's speed case, which is the test case with the flag CASE_SPEED.
const struct lab_case *lab_speed_case(const struct lab *);
// Returns the lab with a name such as "lab3", "3" or "lab3_syncthreads", or NULL if no lab has the name.
const struct lab *lab_find(const char *name);

// Holds a copy of a lab in which the hidden cases have drawn sizes. The lab in lab_all[] only says how the sizes are
// drawn, so the grader's executable file contains no size of a hidden case.
struct lab_drawn {
    struct lab lab; // `lab.cases` points to `cases`
    struct lab_case cases[LAB_CASES];
};
// Draws the sizes of the lab's hidden cases. The sizes of a case are random numbers, and the seed of their generator is
// a keyed hash of `seed`, the lab and the case. The key of the keyed hash is derived from `secret`, the class's key.
// The same class's key and the same `seed` give the same sizes on every machine.
void lab_draw(const struct lab *, const struct secret *, uint64_t seed, struct lab_drawn *);

// Declares a buffer of `count` elements in the plan and returns the buffer's index. A buffer with the role LAB_INPUT or
// LAB_UPDATE gets zeroed data. A lab's plan() calls lab_buffer() for each buffer.
int lab_buffer(struct lab_plan *, const char *name, enum lab_type, enum lab_role, uint64_t count);
// Stores in `grid` the number of blocks on each axis with which `kernel` is launched for a problem of size `extent`.
// The number of blocks follows from the student's launch shape of `kernel`.
void lab_grid(const struct lab_plan *, uint32_t kernel, const uint64_t extent[3], uint32_t grid[3]);
// Adds a launch of `kernel` for a problem of x × y × z elements to the plan, and returns the launch. The caller of
// lab_step() must add the launch's arguments, in the order of the kernel's parameters.
struct lab_step *lab_step(struct lab_plan *, uint32_t kernel, uint64_t x, uint64_t y, uint64_t z);
void lab_arg_buffer(struct lab_step *, int buffer);
void lab_arg_u32(struct lab_step *, uint32_t value);
void lab_arg_f32(struct lab_step *, float value);
// Stores a sentence in plan->rejected that says how the student's launch shape breaks the lab's contract. Does nothing
// if plan->rejected already contains a sentence.
void lab_reject(struct lab_plan *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Sets the expected values of the buffer to zeros, and allocates them if necessary. If `bounded` is 1, also allocates
// zeroed error bounds for the buffer, unless the buffer already has error bounds. A lab's expect() calls
// lab_expected(), and may call it again for other inputs.
void lab_expected(struct lab_plan *, int buffer, int bounded);
// Adds a condition on the student's technique, such as a maximum number of sectors for each 128 bytes. A lab's
// technique() calls lab_technique() for each condition, with `holds` 1 if the submission's counters or timeline fulfil
// this condition. The text says first what was seen, and then what the lab asks.
void lab_technique(struct lab_techniques *, int holds, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Appends what to do to the condition that was added last, unless this condition is fulfilled.
void lab_advice(struct lab_techniques *, const char *advice);
// Adds an unfulfilled condition on the student's technique if less than the fraction LAB_USED of a kernel's results
// depends on the operations of lab->use[use], which `what` names. Adds no condition if enough results depend on the
// operations of lab->use[use].
void lab_use(const struct lab_evidence *, struct lab_techniques *, int use, const char *what);

// A struct lab_comparison contains the result of comparing an output buffer with its expected values.
enum { LAB_MISMATCHES = 3 };
struct lab_comparison {
    uint64_t wrong, poisoned; // number of wrong elements; wrong elements that no kernel changed
    uint32_t shown;
    struct lab_mismatch {
        uint64_t index;
        double got, expected; // a double represents all 4-byte integers exactly
        int unwritten;        // 1: no kernel changed the element, so `got` means nothing
    } mismatch[LAB_MISMATCHES];
};
// Compares an output buffer with its expected values and returns the result. `got` contains buffer->count elements of 4
// bytes. `poison` contains the buffer's values from before the launch, or is NULL.
struct lab_comparison lab_compare(const struct lab_buffer *, const void *got, const void *poison);

// Fills an array with `count` random numbers. `values` is "random" (from [-1, 1)), "equal" (all 1.5), "range"
// (magnitudes from 1e-6 to 1e6 of both signs), "denormal", "zero", "ones" or "integers" (-8 to 8). The function
// lab_fill_f32() calls BUG() if it does not know the string `values`.
void lab_fill_f32(float *data, uint64_t count, const char *values, struct prng *);

#endif
