// Defines a verdict: the score of a submission and the reasons for the score. A verdict is plain data, which the
// functions of report/ print.
#ifndef JUDGE_VERDICT_VERDICT_H
#define JUDGE_VERDICT_VERDICT_H

#include <stdint.h>

#include "base/text_struct.h"
#include "box/box.h"
#include "engine/observation.h"
#include "judge/card/measurement.h"
#include "judge/job/job.h"
#include "judge/job/reason.h"
#include "judge/verdict/profile.h"
#include "lab/lab.h"
#include "lab/threshold.h"
#include "wire/wire.h"

enum {
    VERDICT_CASES = LAB_CASES,
    VERDICT_FINDINGS = 64,
    VERDICT_REASONS = 80,
    VERDICT_REASON = 128,
    VERDICT_LINES = 3,
    VERDICT_SENTENCE = 400
};

// Lists the stages of grading that a submission can reach.
enum verdict_stage {
    STAGE_BUILD,  // the submission does not build; `messages` has the compiler's errors
    STAGE_LAUNCH, // the submission builds, but its kernels cannot be launched or judged; `sentence` and `refusal` say
                  // why
    STAGE_RUN,    // the cases were run
};

enum case_result {
    CASE_RIGHT,
    CASE_WRONG,   // an output differs from the expected values; `comparison` has examples
    CASE_STOPPED, // a launch ended in a fault; a finding describes the fault
    CASE_REFUSED, // the device refused the launch; `message` says why
    CASE_RESULTS
};
struct verdict_case {
    const struct lab_case *which;
    enum case_result result;
    char message[OBSERVATION_MESSAGE];
    const char *buffer; // CASE_WRONG: name of the first wrong output buffer
    enum lab_type type;
    uint64_t count; // number of elements of the first wrong output buffer
    struct lab_comparison comparison;
    uint64_t outputs; // hash of the bits of all outputs; 0: no outputs were compared
    uint32_t kernels; // CASE_WRONG, CASE_STOPPED: set of the kernels that the case launches, bit k for lab->kernel[k]
};

struct verdict_finding {
    struct finding finding;      // the finding that is shown as the example
    const struct judge_job *job; // job in whose submission the places of `finding` are; NULL: a user's own program
    // `defect` is a value of enum host_trace_defect if the finding is in a host program. If `defect` is not 0,
    // `finding` has only places and count. `defect` is 0 for a finding in device code.
    uint32_t defect;
    char sentence[VERDICT_SENTENCE]; // if `defect` is not 0: a sentence that says what happened
    uint32_t reason;                 // of a call that failed: enum host_reason, with its numbers `a` and `b`
    uint64_t a, b;
    char kernel[ENGINE_NAME]; // name of the kernel in which the finding occurred
    uint32_t definition;      // line of the definition of this kernel, or of the lab's last one if it is not known
    char array[64];  // name of the buffer in the kernel's parameter list; empty: see finding.symbol, which may be empty
                     // too
    char also[64];   // name of another array that has the same finding for the same reason; or empty
    int lost_update; // 1: the finding is a race in which threads read, change and write one element in one source line
    uint32_t element;           // size of an element of `array` in bytes; 0: unknown
    uint32_t which;             // index into verdict->item of the case from which the example comes
    uint64_t cases;             // bit i: the finding occurred in case i
    uint32_t follows;           // 1 + index in the list of the finding that caused this one; 0: a cause of its own
    int hidden;                 // 1: the finding occurred in hidden cases, so reports show no indices and no extents
    int optimised, unoptimised; // 1: the finding occurred in the optimised image; in the unoptimised image
};
struct verdict_findings {
    uint32_t count;
    uint32_t dropped;                              // number of findings of visible cases for which `item` had no room
    struct verdict_finding item[VERDICT_FINDINGS]; // sorted by verdict_findings_sort(): the worst finding first
};

// Describes one kernel in the speed case, the test case whose time is measured. All numbers in struct verdict_kernel
// are from the simulator, even if the submission's speed was measured on a GPU.
struct verdict_kernel {
    const char *name;
    uint64_t time_ps, baseline_ps; // times of all launches of the kernel, in picoseconds
    enum resource bound;
    uint32_t bound_permille;     // time that `bound` alone would take, in thousandths of the kernel's time
    enum resource next;          // the resource that would bound the kernel if `bound` were unlimited
    uint32_t next_permille;      // time that `next` alone would take, in thousandths of the kernel's time
    uint32_t next_gain_permille; // speedup of the kernel if `bound` were unlimited, in thousandths
    uint32_t registers, shared_bytes, local_bytes, blocks_per_sm, occupancy_permille, occupancy_limit;
    uint64_t blocks, blocks_run;
    uint32_t threads; // threads in a block
    struct verdict_line {
        uint32_t line, permille; // line of the student's file; the line's part of the time of all warps, in thousandths
    } hot[VERDICT_LINES];        // the lines that take most time, the slowest line first
    uint32_t nhot;
    struct counters counters;
};
struct verdict_speed {
    int measured;                  // 0: the submission is wrong or unsafe, and only `threshold` is set
    int model;                     // 1: times are the simulator's; 0: times were measured on a GPU, see `card`
    uint64_t time_ps, baseline_ps; // times of all launches of the speed case, in picoseconds
    double speedup;
    double predicted;               // the speedup that the simulator computed
    struct lab_threshold threshold; // what the lab requires on the engine that measured
    struct measurement card;
    uint64_t useful_bytes;    // least number of bytes of the case's arrays that any kernel must read or write
    uint32_t unseen_permille; // part of time_ps, in thousandths, on which the time model has no record
    int sampled;              // 1: only some blocks were run, and the counters were scaled
    int baseline_ran; // 1: the baseline was simulated in this grading, because no record of it matches (job/record.h)
    char problem[OBSERVATION_MESSAGE]; // why the speed of right and safe kernels could not be measured; or empty
    uint32_t slowest;                  // index of the kernel that takes the most time
    uint32_t nkernels;
    struct verdict_kernel kernel[LAB_KERNELS];
    struct counters student, baseline;
    struct lab_techniques technique;
};

// Describes one reason why a submission does not pass.
struct verdict_reason {
    enum reason id;
    const char *word; // word of the reason; for REASON_finding: word of the finding
    uint32_t line;    // REASON_finding: line of the finding in the student's file; 0: unknown
};
// Writes a reason why a submission does not pass as the text that programs read, for example "too slow" or "race at
// line 18".
void verdict_reason_print(const struct judge_job *, const struct verdict_reason *, char out[VERDICT_REASON]);

enum rubric_row { ROW_BUILDS, ROW_CORRECT, ROW_SAFE, ROW_TECHNIQUE, ROW_SPEED, RUBRIC_ROWS };
struct rubric_info {
    const char *name;
    int of; // most points of the row
};
extern const struct rubric_info verdict_rubric[RUBRIC_ROWS];
// Contains the most points that a course gives for each row of the rubric, for example for correctness.
struct rubric {
    int of[RUBRIC_ROWS];
};

// The struct verdict_program contains the trace and the timeline of a host program in the speed case. The verdict owns
// the memory of the trace and the timeline. The pointers `trace` and `timeline` of struct verdict_program are NULL if
// the speed case was not measured.
struct host_trace;
struct verdict_program {
    struct host_trace *trace; // trace of the whole run
    uint64_t from_ps, to_ps;  // begin and end of the timed part, in picoseconds of the trace's clock
    struct lab_timeline *timeline;
};

struct verdict {
    const struct judge_job *job;
    const struct rubric *rubric; // the points that a course defines; NULL: the points of verdict_rubric
    char compiler[96];           // name and version, for example "nvcc 13.0"
    struct wire_device device;   // zero if nothing was run
    enum box_level sandbox;      // the weakest of the sandboxes of compiler and runners
    enum verdict_stage stage;
    struct text messages;    // the compiler's errors and warnings; owned by the verdict
    struct text image;       // the image IMAGE_OPTIMISED; empty if the submission does not build; owned by the verdict
    struct text unoptimised; // the image IMAGE_UNOPTIMISED; likewise
    char sentence[2 * OBSERVATION_MESSAGE]; // STAGE_LAUNCH: tells the student why the kernels cannot be judged
    enum reason refusal;                    // STAGE_LAUNCH: the reason that is reported
    // number of cases and number of right cases, without the speed case; the hidden cases count as one
    uint32_t ncases, nright;
    struct verdict_case item[VERDICT_CASES];
    struct verdict_findings findings;
    uint32_t ndefects; // number of findings that cost points
    struct verdict_speed speed;
    struct profile profile; // profile of the speed case; empty if the speed case was not run; owned by the verdict
    struct verdict_program program; // host labs: trace and timeline of the speed case
    // `coverage` counts how often the cases executed each source line. The counts come from the unoptimised image in
    // visible cases. A line counts 1 if only the optimised image or the speed case executed the line.
    // `coverage` is NULL if no case was run. The verdict owns `coverage`.
    struct coverage *coverage;
    struct text print; // what the kernel printed in the first visible case with any output; owned by the verdict
    int score[RUBRIC_ROWS], total;
    int passed;
    double price_s;    // seconds of the processor that the compilers used; host labs: and what the cases used or slept
    uint32_t nreasons; // 0: the submission passed
    struct verdict_reason reason[VERDICT_REASONS];
    char next[2 * OBSERVATION_MESSAGE]; // the one thing that the student should do next
};

// Frees the memory that the verdict owns. The struct verdict itself belongs to the caller.
void verdict_free(struct verdict *);

// Adds a finding to a list of findings. If the list already has a finding of the same kind for the same array at the
// same source line, merges the two findings. Findings of hidden and of visible cases are not merged.
void verdict_findings_add(struct verdict_findings *, const struct verdict_finding *);
// Sorts a list of findings so that the worst finding comes first.
void verdict_findings_sort(struct verdict_findings *);
// Merges races that one barrier fixes, and removes findings that are consequences of other findings.
void verdict_findings_reduce(struct verdict_findings *);
// Removes each finding of hidden cases that visible cases also have. Of the other findings of hidden cases, keeps only
// the worst. The list of findings must be sorted (verdict_findings_sort()). Returns 1 if the remaining finding of
// hidden cases is a defect, else 0.
int verdict_findings_hide(struct verdict_findings *);
// Sets `follows` of each finding of the list (cause.c). The list must be sorted, and verdict_findings_hide() must have
// been called.
void verdict_findings_trace(struct verdict_findings *);
// Returns the first finding that a recorded block can show (judge/verdict/step.h), a cause before what follows from
// another, or NULL: a defect of device code with a line of its own, seen in a visible case and in the unoptimised
// image.
const struct verdict_finding *verdict_walk(const struct verdict_findings *);
// Returns how many findings of the list follow from the finding at the given index.
uint32_t verdict_followers(const struct verdict_findings *, uint32_t index);
// Returns 1 if the finding is a race.
int verdict_is_race(const struct finding *);
// Merges the hidden cases into one, and removes all but one of their findings (hide.c). The caller must have set
// `item`, `ncases`, `nright` and `findings`.
void verdict_hide(struct verdict *);
// Returns the name, the severity and the hint that belong to the finding's kind.
const struct finding_info *verdict_info(const struct verdict_finding *);
// Returns the place at which reports show a finding. A finding without a line of its own, such as an output that was
// never written, is shown at the definition of its kernel.
struct finding_place verdict_place(const struct verdict_finding *);
// Returns how many findings of the list cost points.
uint32_t verdict_defects(const struct verdict_findings *);
// Returns the source location of the first access of a race. The first of the race's two accesses is the access that a
// thread reaches first on its way from one barrier to the next.
const struct finding_place *verdict_first(const struct finding *);
// Appends the rule that a finding breaks to the text, as one sentence without a full stop. The sentence does not say
// what to change in which line, because that is known only from a repair that was tried (judge/repair).
void verdict_hint(const struct verdict_finding *, struct text *);
// Sets the fields `score`, `total`, `passed` and `reason` of the verdict. The caller must have set all other fields of
// the verdict except `next`.
void verdict_score(struct verdict *);
// Returns the points that a submission earns for its speedup, out of `of` points. Out of 20 points, a speedup below the
// minimum earns 0, the minimum 8, the speedup of the lesson's own example kernel 12, and the speedup for full marks 20.
// Between these speedups, the points grow with the logarithm of the speedup.
int verdict_speed_points(double speedup, const struct lab_threshold *, int of);
// Returns 1 if a launch failed on the GPU or an output was wrong on the GPU, else 0. If verdict_card_failed() returns
// 1, no speed earns points, not even the simulated speed.
int verdict_card_failed(const struct verdict_speed *);
// Sets verdict->next to advice on what the student should do next. The caller must have called verdict_score() before.
void verdict_next(struct verdict *);
// Returns advice, a message in English to be translated, for a kernel whose speed the resource bounds.
const char *verdict_advice(enum resource);
// Returns `part` as a share of `whole` in thousandths: at most 1000, and 0 if `whole` is 0.
uint32_t verdict_permille(uint64_t part, uint64_t whole);
// Sets the fields `bound` and `next` of a kernel and their numbers, from the time in ps that each resource alone would
// take and the time of the launch. If the bounding resource were unlimited, the resource that takes the second-longest
// time would bound the kernel.
void verdict_take_bounds(struct verdict_kernel *, enum resource bound, const uint64_t resource_ps[RESOURCES],
                         uint64_t time_ps);
// Prints advice for the host program of a timeline: what to do about the kind of engine that works alone for the
// longest time, or about the time in which nothing works.
void verdict_advise_program(const struct lab_timeline *, char *out, size_t bytes);
// Makes the timeline of a host trace's operations that start from `from_ps` until before `to_ps`. The timeline's times
// count from `from_ps`. `line` has the source line of each operation of the trace, or 0. The caller frees the
// timeline's spans and the timeline (timeline.c).
struct lab_timeline *verdict_timeline(const struct host_trace *, const uint32_t line[], uint64_t from_ps,
                                      uint64_t to_ps);
// Replaces the simulated speed by the speed that was measured on the GPU (speed->card), if the measurement ended with
// MEASURE_DONE.
void verdict_take_card(struct verdict_speed *, const struct judge_job *);

#endif
