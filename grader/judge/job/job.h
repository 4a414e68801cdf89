// A job: what to grade, and with what.
#ifndef JUDGE_JOB_JOB_H
#define JUDGE_JOB_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "compile/compile.h"
#include "lab/lab.h"

// What to grade, and with what. All pointers are the caller's and outlive the verdict.
struct judge_job {
    const struct lab *lab;
    const char *source; // the submission's text
    size_t bytes;
    const char *shown; // the path that the report uses for it; a line, fit to be printed (utf8_clean_line)
    const struct compiler *compiler;
    const char *kit;                        // folder of the kit's device headers
    const char *const *runner;              // NULL-terminated: program and arguments of the simulator's runner
    const char *const *card_runner;         // the same of a card's runner; NULL: speed is the simulator's
    const char *card;                       // which card; NULL: the first
    const char *card_title;                 // of the card that the next two are for; NULL: any
    double card_minimum, card_full;         // thresholds on that card; 0: the lab's own
    int card_needed;                        // 1: without a card nothing is graded
    const char *baseline;                   // path of the lab's baseline.cu
    const char *main;                       // host labs: path of the lab's main.h
    const char *include, *cudart;           // host labs: folders of the runtime API's headers, and of libcudart
    const char *cache;                      // folder for the baseline's images; NULL: none
    const char *device;                     // NULL: the engine's default
    uint64_t seed;                          // of inputs and poison; schedules have seeds of their own
    uint32_t threads;                       // host threads of a runner; 0: as many as there are cores
    int open;                               // 1: no sandbox
    int coverage;                           // 1: every case on the unoptimised image, so that counts are complete
    void (*step)(void *, const char *what); // progress: one step of judge_steps() is done; or NULL
    void *step_data;
};

#endif
