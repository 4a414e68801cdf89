// A job: what to grade, and with what.
#ifndef JUDGE_JOB_JOB_H
#define JUDGE_JOB_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "compile/compile.h"
#include "lab/lab.h"

// All pointers are the caller's and outlive the verdict.
struct judge_job {
    const struct lab *lab;
    const char *source; // the submission's text
    size_t bytes;
    const char *shown; // its path in the report: one printable line (utf8_clean_line)
    const struct compiler *compiler;
    const char *kit;                        // folder of the kit's device headers
    const char *const *runner;              // simulator's runner: program and arguments, NULL-terminated
    const char *const *card_runner;         // card's runner, likewise; NULL: the simulator's speed counts
    const char *card;                       // which card; NULL: the first
    const char *card_title;                 // name of the card that the next two are for; NULL: any
    double card_minimum, card_full;         // thresholds on that card; 0: the lab's own
    int card_needed;                        // 1: without a card nothing is graded
    const char *baseline;                   // path of the lab's baseline.cu
    const char *main;                       // host labs: path of the lab's main.h
    const char *include, *cudart;           // host labs: folders of the runtime API's headers, and of libcudart
    const char *cache;                      // cache folder (cache.h); NULL: nothing is kept
    const char *device;                     // NULL: the engine's default
    uint64_t seed;                          // of inputs, poison and schedules, each a stream of its own
    uint32_t threads;                       // host threads of a runner; 0: as many as there are cores
    int open;                               // 1: no sandbox
    int coverage;                           // 1: every case on the unoptimised image, so that counts are complete
    void (*step)(void *, const char *what); // progress: called after each step of judge_steps(); or NULL
    void *step_data;
};

#endif
