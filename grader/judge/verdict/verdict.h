// A verdict: what a submission earned, and why. It is data; report/ prints it.
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

// On a simulated device this share of the minimum speedup is enough to pass, because a model's time is not exact.
#define VERDICT_MODEL_SLACK 0.85

// How far the submission came.
enum verdict_stage {
    STAGE_BUILD,  // it does not build; `messages` has the compiler's words
    STAGE_LAUNCH, // it builds, but its kernels cannot be launched or judged; `sentence` and `refusal` say why
    STAGE_RUN,    // cases were run
};

enum case_result {
    CASE_RIGHT,
    CASE_WRONG,   // an output is not as expected; `comparison` has examples
    CASE_STOPPED, // a launch ended in a fault; the findings say which
    CASE_REFUSED, // the device refuses the launch; `message` says why
    CASE_RESULTS
};
struct verdict_case {
    const struct lab_case *which;
    enum case_result result;
    char message[OBSERVATION_MESSAGE];
    const char *buffer; // CASE_WRONG: name of the first wrong output
    enum lab_type type;
    uint64_t count; // elements of that output
    struct lab_comparison comparison;
    uint64_t outputs; // hash of all outputs' bits; 0: none were compared
};

struct verdict_finding {
    struct finding finding; // the example
    uint32_t hazard; // of a host program: enum host_trace_hazard, and `finding` has only places and count; else 0
    char sentence[VERDICT_SENTENCE]; // with a hazard: what happened
    char kernel[ENGINE_NAME];        // the kernel in which it was seen
    char array[64];             // the buffer's name in the kernel's parameter list; empty: finding.symbol, or nothing
    char also[64];              // another array with the same finding by the same cause; or empty
    int lost_update;            // 1: a race in which threads read, change and write one element in one line
    uint32_t element;           // bytes of an element of `array`; 0: unknown
    uint32_t which;             // case of the example, index into verdict->item
    uint64_t cases;             // bit i: it was seen in case i
    int hidden;                 // 1: seen only in hidden cases, so reports show no indices and extents
    int optimised, unoptimised; // images it was seen in
};
struct verdict_findings {
    uint32_t count;
    uint32_t dropped;                              // findings that had no room
    struct verdict_finding item[VERDICT_FINDINGS]; // worst first
};

// One kernel in the speed case. time_ps and baseline_ps may be a card's; all other figures are the model's.
struct verdict_kernel {
    const char *name;
    uint64_t time_ps, baseline_ps; // all launches of the kernel
    enum resource bound;
    uint32_t bound_permille;     // time of that resource alone, as part of the kernel's time
    enum resource next;          // the resource that would bound the kernel if the first one were unlimited
    uint32_t next_permille;      // time of that resource alone
    uint32_t next_gain_permille; // speedup that the kernel could then reach
    uint32_t registers, shared_bytes, local_bytes, blocks_per_sm, occupancy_permille, occupancy_limit;
    uint64_t blocks, blocks_run;
    struct verdict_line {
        uint32_t line, permille; // of the student's file; its part of the time of all warps
    } hot[VERDICT_LINES];        // the most expensive ones
    uint32_t nhot;
    struct counters counters;
};
struct verdict_speed {
    int measured;                  // 0: wrong or unsafe; then only minimum, needed and full are set
    int model;                     // 1: times are the simulator's; 0: they are a card's, see `card`
    uint64_t time_ps, baseline_ps; // all launches of the speed case
    double speedup;
    double predicted;     // the simulator's speedup
    double minimum, full; // the lab's
    double needed;        // speedup to pass: the minimum, times VERDICT_MODEL_SLACK if `model`
    struct measurement card;
    uint64_t useful_bytes;             // bytes of the case's arrays that must be read or written at least
    int sampled;                       // 1: only some blocks were run, and counters scaled
    char problem[OBSERVATION_MESSAGE]; // why the speed could not be measured although the kernels are right and safe;
                                       // or empty
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
extern const struct rubric_info verdict_rubric[RUBRIC_ROWS];
// A course's own points.
struct rubric {
    int of[RUBRIC_ROWS];
};

// The speed case of a host lab's program. The pointers are owned, and NULL if the case was not measured.
struct host_trace;
struct verdict_program {
    struct host_trace *trace; // of the whole run
    uint64_t from_ps, to_ps;  // the timed part
    struct lab_timeline *timeline;
};

struct verdict {
    const struct judge_job *job;
    const struct rubric *rubric; // a course's own points; NULL: verdict_rubric
    char compiler[96];           // "nvcc 13.0"
    struct wire_device device;   // empty when nothing was run
    enum box_level sandbox;      // the weakest sandbox of compiler and runner
    enum verdict_stage stage;
    struct text messages;                   // the compiler's errors and warnings; owned
    struct text image;                      // IMAGE_OPTIMISED; empty if the submission does not build; owned
    char sentence[2 * OBSERVATION_MESSAGE]; // STAGE_LAUNCH: why, for the student
    enum reason refusal;                    // STAGE_LAUNCH: the reason
    uint32_t ncases, nright;                // without the speed case
    struct verdict_case item[VERDICT_CASES];
    struct verdict_findings findings;
    uint32_t ndefects; // findings that cost points
    struct verdict_speed speed;
    struct profile profile;         // of the speed case, when it was run; owned
    struct verdict_program program; // host labs: of the speed case
    // Lines that the cases executed, counted on the unoptimised image in visible cases. A line that only hidden cases,
    // the optimised image or the speed case reached counts 1. NULL if no case was run. Owned.
    struct coverage *coverage;
    struct text print; // the kernel's output in the first visible case that printed; owned
    int score[RUBRIC_ROWS], total;
    int passed;
    uint32_t nreasons; // 0: passed
    struct verdict_reason reason[VERDICT_REASONS];
    char next[2 * OBSERVATION_MESSAGE]; // the one thing to do next
};

// Frees what the verdict owns. The struct is the caller's.
void verdict_free(struct verdict *);

// Adds a finding to a list, or merges it with a finding of the same kind and place.
void verdict_findings_add(struct verdict_findings *, const struct verdict_finding *);
// Sorts a list, worst finding first.
void verdict_findings_sort(struct verdict_findings *);
// Merges races that one barrier fixes, and removes findings that are consequences of others.
void verdict_findings_reduce(struct verdict_findings *);
// Returns word, severity and hint of the finding's kind.
const struct finding_info *verdict_info(const struct verdict_finding *);
// Returns how many findings of a list cost points.
uint32_t verdict_defects(const struct verdict_findings *);
// Returns the one of a race's two places that should come first; the missing synchronisation belongs after it.
const struct finding_place *verdict_first(const struct finding *);
// Adds advice on a finding: one sentence without a full stop.
void verdict_hint(const struct verdict_finding *, struct text *);
// Sets score, total, passed and reasons from all else in the verdict.
void verdict_score(struct verdict *);
// Returns points for a speedup: 0 below `needed`, `of` from `full` on, and between them on a log scale.
int verdict_speed_points(double speedup, double needed, double full, int of);
// Returns 1 if the card stopped the kernels or their outputs there are wrong. Then no speed counts, not even the
// model's.
int verdict_card_failed(const struct verdict_speed *);
// Sets `next`, the one thing to do next, in a verdict with a score.
void verdict_next(struct verdict *);
// Replaces the model's speed by the card's measurement (speed->card), if that one counts.
void verdict_take_card(struct verdict_speed *, const struct judge_job *);

#endif
