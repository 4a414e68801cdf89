// A verdict: what a submission earned, and why. Data alone; report/ prints it.
#ifndef JUDGE_VERDICT_VERDICT_H
#define JUDGE_VERDICT_VERDICT_H

#include <stdint.h>

#include "base/text.h"
#include "box/box.h"
#include "engine/observation.h"
#include "judge/card/measurement.h"
#include "judge/job/job.h"
#include "judge/job/reason.h"
#include "judge/verdict/profile.h"
#include "lab/lab.h"
#include "wire/wire.h"

enum {
    VERDICT_CASES = 64,
    VERDICT_FINDINGS = 64,
    VERDICT_REASONS = 80,
    VERDICT_REASON = 80,
    VERDICT_LINES = 3,
    VERDICT_SENTENCE = 400
};

// On a simulated device a student passes from this share of the minimum speedup: the time is a model's.
#define VERDICT_MODEL_SLACK 0.85

// How far the submission came.
enum verdict_stage {
    STAGE_BUILD,  // it does not build: `messages` has the compiler's words
    STAGE_LAUNCH, // it builds, but its kernels cannot be launched, or not be judged: `sentence` and `refusal` say why
    STAGE_RUN,    // cases were run
};

enum case_result {
    CASE_RIGHT,
    CASE_WRONG,   // an output is not as expected: comparison
    CASE_STOPPED, // a launch ended in a fault, see the findings
    CASE_REFUSED, // the device refuses the launch: message
    CASE_RESULTS
};
struct verdict_case {
    const struct lab_case *which;
    enum case_result result;
    char message[OBSERVATION_MESSAGE];
    const char *buffer; // WRONG: name of the first wrong output
    enum lab_type type;
    uint64_t count; // its elements
    struct lab_comparison comparison;
    uint64_t outputs; // hash of all outputs' bits: equal for equal outputs; 0: none were compared
};

struct verdict_finding {
    struct finding finding; // the example
    uint32_t hazard;        // of a host program: enum host_trace_hazard; then `finding` has places and count alone
    char sentence[VERDICT_SENTENCE]; // with hazard: what happened
    char kernel[ENGINE_NAME];        // in which it was seen
    char array[64];             // the buffer's name in the kernel's parameter list; empty: finding.symbol, or nothing
    char also[64];              // another array of which the same holds, by one cause; or empty
    int lost_update;            // 1: of a race: threads read, change and write one element, all in the same line
    uint32_t element;           // bytes of an element of that array; 0: unknown
    uint32_t which;             // case of the example, index into verdict->item
    uint32_t cases;             // in how many it was seen
    int hidden;                 // 1: seen in hidden cases alone; indices and extents are not to be shown
    int optimised, unoptimised; // images it was seen in
};
struct verdict_findings {
    uint32_t count;
    uint32_t dropped;
    struct verdict_finding item[VERDICT_FINDINGS]; // worst first
};

// One kernel in the speed case. Times but the first two, and what is derived from them, are the model's.
struct verdict_kernel {
    const char *name;
    uint64_t time_ps, baseline_ps; // all launches of it
    enum resource bound;
    uint32_t bound_permille;     // what that resource alone would take, of the time
    enum resource next;          // that would bound it, were the first one endless
    uint32_t next_permille;      // what it alone would take, of the time
    uint32_t next_gain_permille; // how often as fast the kernel could be then at the most
    uint32_t registers, shared_bytes, local_bytes, blocks_per_sm, occupancy_permille, occupancy_limit;
    uint64_t blocks, blocks_run;
    struct verdict_line {
        uint32_t line, permille; // of the student's file; its share of the time that warps spend
    } hot[VERDICT_LINES];        // the most expensive ones
    uint32_t nhot;
    struct counters counters;
};
struct verdict_speed {
    int measured;                  // 0: not (wrong or unsafe), all else is unset but minimum, needed, full
    int model;                     // 1: times are the simulator's; 0: a card's, see `card`
    uint64_t time_ps, baseline_ps; // all launches of the speed case
    double speedup;
    double predicted;     // the simulator's speedup, whoever measured
    double minimum, full; // the lab's
    double needed;        // the minimum, after the model's slack when it is the model's
    struct measurement card;
    uint64_t useful_bytes;             // of the case's arrays: what must be read and written at the least
    int sampled;                       // 1: only some blocks were run, and counters scaled
    char problem[OBSERVATION_MESSAGE]; // why it could not be measured although right and safe; or empty
    uint32_t slowest;                  // index of the kernel that takes most time
    uint32_t nkernels;
    struct verdict_kernel kernel[LAB_KERNELS];
    struct counters student, baseline;
    struct lab_techniques technique;
};

// Why a verdict is not passed.
struct verdict_reason {
    enum reason id;
    const char *word; // of the reason; of REASON_finding: the finding's
    uint32_t line;    // REASON_finding: where, in the student's file; 0: unknown
};
// Writes a reason as programs read it: "too slow", "race at line 18".
void verdict_reason_print(const struct verdict_reason *, char out[VERDICT_REASON]);

enum rubric_row { ROW_BUILDS, ROW_CORRECT, ROW_SAFE, ROW_TECHNIQUE, ROW_SPEED, RUBRIC_ROWS };
struct rubric_info {
    const char *name;
    int of; // points
};
extern const struct rubric_info rubric_info[RUBRIC_ROWS];
// A course's own points in place of rubric_info's.
struct rubric {
    int of[RUBRIC_ROWS];
};

// What a host lab's program did in the speed case. All NULL: it was not measured. Owned.
struct host_trace;
struct verdict_program {
    struct host_trace *trace; // the whole record
    uint64_t from_ps, to_ps;  // its timed part
    struct lab_timeline *timeline;
};

struct verdict {
    const struct judge_job *job;
    const struct rubric *rubric; // NULL: rubric_info
    char compiler[96];           // "nvcc 13.0"
    struct wire_device device;   // empty when nothing was run
    enum box_level sandbox;      // the weakest of those that held compiler and runner
    enum verdict_stage stage;
    struct text messages;                   // the compiler's, warnings too; owned
    struct text image;                      // IMAGE_OPTIMISED, empty when it does not build; owned
    char sentence[2 * OBSERVATION_MESSAGE]; // STAGE_LAUNCH: what is wrong
    enum reason refusal;                    // STAGE_LAUNCH: the reason
    uint32_t ncases, nright;                // without the speed case
    struct verdict_case item[VERDICT_CASES];
    struct verdict_findings findings;
    uint32_t ndefects; // findings that cost points
    struct verdict_speed speed;
    struct profile profile;         // of the speed case, when it was run; owned
    struct verdict_program program; // host labs: of the speed case
    // What the cases executed, by the unoptimised image; NULL when none was run. Counts are of the cases that may be
    // shown; what only a hidden case, or one on the optimised image (the speed case, too), reached counts 1. Owned.
    struct coverage *coverage;
    struct text print; // what the kernel printed in the first visible case that printed; owned
    int score[RUBRIC_ROWS], total;
    int passed;
    uint32_t nreasons; // 0: passed
    struct verdict_reason reason[VERDICT_REASONS];
    char next[2 * OBSERVATION_MESSAGE]; // the one thing to do next
};

// Frees what the verdict owns; its struct is the caller's.
void verdict_free(struct verdict *);

// Adds a finding to a list, or counts it with one of the same kind and place there. `which` is the case's index.
void verdict_findings_add(struct verdict_findings *, const struct verdict_finding *);
void verdict_findings_sort(struct verdict_findings *);
// Leaves out findings that follow from others: races that one barrier mends are told once, reads before the write that
// a race lost not at all.
void verdict_findings_reduce(struct verdict_findings *);
// What there is to say of its kind.
const struct finding_info *verdict_info(const struct verdict_finding *);
uint32_t verdict_defects(const struct verdict_findings *); // how many of them cost points
// Of a race's two places the one that should come first: what is missing belongs behind it.
const struct finding_place *verdict_first(const struct finding *);
// What to do about a finding: one sentence without a full stop.
void verdict_hint(const struct verdict_finding *, struct text *);
// Points, passed and reasons from what is in the verdict already.
void verdict_score(struct verdict *);
// Points for a speedup: 0 below `needed`, `of` from `full` on, between them on a log scale.
int verdict_speed_points(double speedup, double needed, double full, int of);
// 1: the card stopped the kernels, or what they wrote there is wrong: then there is no speed, whatever the model says.
int verdict_card_failed(const struct verdict_speed *);
void verdict_next(struct verdict *);
// The card's word on the speed, where it has one (speed->card), in place of the model's.
void verdict_take_card(struct verdict_speed *, const struct judge_job *);

#endif
