// Defines a job: the description of one grading, with the submission, the lab, the tools and the options.
#ifndef JUDGE_JOB_JOB_H
#define JUDGE_JOB_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "base/bundle.h"
#include "base/secret.h"
#include "base/stopwatch.h"
#include "compile/compile.h"
#include "lab/lab.h"
#include "lab/threshold.h"

struct verdict;

// Describes one grading of a submission. The caller owns all objects to which the fields of struct judge_job point. All
// objects to which a struct judge_job points must stay valid as long as the verdict.
struct judge_job {
    const struct lab *lab;
    const char *source; // text of the submission
    size_t bytes;
    const char *shown; // path of the submission as reports show it: one printable line (utf8_clean_line)
    const struct compiler *compiler;
    const char *kit;           // folder of the kit's headers for device code
    const char *const *runner; // program and arguments of the simulator's runner, NULL-terminated
    // program and arguments of the GPU's runner, NULL-terminated; NULL: the simulator's speed counts
    const char *const *card_runner;
    const char *card;                    // name of the GPU to measure on; NULL: the first GPU
    const char *card_title;              // model of the GPU for which card_threshold holds; NULL: any GPU
    struct lab_threshold card_threshold; // speedups that the lab requires on the GPU
    int card_needed;                     // 1: call die() if there is no GPU
    const char *baseline;                // path of the lab's baseline.cu
    const char *main;                    // host labs: path of the lab's main.h
    const char *include, *cudart;        // host labs: folder of the runtime API's headers; folder of libcudart
    const char *cache;                   // cache folder (cache.h); NULL: no cache
    const char *device;                  // name of the simulated device; NULL: the engine's default
    uint64_t seed;                       // seed of the random streams for inputs, poison and schedules
    struct secret secret;                // the class's key; zero: practice
    uint32_t threads;                    // number of host threads of a runner; 0: one thread per processor
    int open;                            // 1: run compilers, runners and programs without a sandbox
    int coverage;                        // 1: run every case on the unoptimised image, so that coverage is complete
    struct stopwatch *timing;            // measures the parts of the grading; NULL: they are not measured
    // called after each step of the grading with step_data and the step's name; or NULL
    void (*step)(void *, const char *what);
    // called with step_data before repairs are tried: the verdict holds all but their advice; or NULL
    void (*graded)(void *, struct verdict *);
    void *step_data;
    // 1: changes of the source are tried that may remove the first finding, and verdict->next tells one that works
    int repairs;
    struct text *repaired; // receives the source with that change; NULL: it is not wanted
};
// Returns the submission's text as a bundle, in which messages look up the file and line number of a line. If `job` is
// NULL, returns a bundle without text, so that no line counts as a line of a header.
struct bundle judge_job_bundle(const struct judge_job *job);
// Writes the number of a line of the submission as people read it, such as "57" or "mine.h:7" (bundle_line()). Returns
// `out`.
const char *judge_job_line(const struct judge_job *job, uint32_t line, char out[BUNDLE_LINE]);

// Draws the sizes of the lab's hidden cases for this submission (lab_draw). A submission with another source gets other
// sizes of its hidden test cases. What a student learns about one submission's hidden cases, such as the line of a
// finding, therefore tells nothing about the hidden cases of the next submission.
void judge_job_draw(const struct judge_job *, struct lab_drawn *);

#endif
