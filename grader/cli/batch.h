// What the commands for a class share: the gradebook, the course's rules, and the job settings for judging.
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "batch/batch.h"
#include "batch/course.h"
#include "batch/results.h"
#include "batch/roster.h"
#include "cli/cli.h"

// An open gradebook with the course's rules and the chosen labs.
struct cli_gradebook {
    const struct cli_options *options;
    char out[CLI_PATH], path[2 * CLI_PATH]; // folder of the exports; the gradebook's file
    struct gradebook *gradebook;
    struct course course;
    const struct lab *lab[COURSE_LABS + 1];   // the labs of --lab, or all labs; NULL-terminated
    const struct lab *known[COURSE_LABS + 1]; // filled by cli_gradebook_read_results()
};
// Reads course.json and opens the gradebook. Creates a missing gradebook only if `make` is 1. Dies on failure.
void cli_gradebook_open(struct cli_gradebook *, const struct cli_options *, int make);
// Reads the results of the class in the labs of --lab, or else in the labs that the course or an attempt names. Free
// with results_free(), before the gradebook is closed.
void cli_gradebook_read_results(struct results *, struct cli_gradebook *);
// Writes the exports and the feedback into the folder.
void cli_gradebook_write(struct cli_gradebook *);
void cli_gradebook_close(struct cli_gradebook *);
// Reads a rubric from a file; the path "kit" means the kit's own rubric. Dies if the file is no rubric. Free with
// rubric_free().
void cli_gradebook_read_rubric(struct rubric_file *, const char *path);

// How the submissions of a class are judged: all fields of a judge's job except lab and source.
struct cli_batch_judging {
    struct cli_paths paths;
    struct compiler compiler;
    const char *runner[2], *card_runner[2];
    struct cli_thresholds thresholds;
    char baseline[2 * CLI_PATH], main[2 * CLI_PATH], card[96];
    struct gradebook_key key;
    struct pool pool; // points into this struct, so the struct must not be moved
};
// Finds the compiler, the runners and the card that the options ask for. Dies if one is missing.
void cli_batch_judging_make(struct cli_batch_judging *, const struct cli_options *);

// Runs "batch --slurm". Returns the number of submissions that have neither a result nor a failure.
uint32_t cli_cluster(struct cli_gradebook *, struct batch *);

// The commands. Each returns the program's exit code.
int cli_batch(const struct cli_options *, int argc, char **argv);
int cli_regrade_rejudge(const struct cli_options *, int argc, char **argv);
int cli_regrade_replay(const struct cli_options *, int argc, char **argv);
int cli_regrade_override(const struct cli_options *, int argc, char **argv);
int cli_report(const struct cli_options *, int argc, char **argv);
int cli_regrade_merge(const struct cli_options *, int argc, char **argv);
// The command "task FOLDER NUMBER COUNT", which a cluster job runs on its nodes. It judges its part of the spool in the
// folder (batch/cluster.h).
int cli_cluster_task(const struct cli_options *, int argc, char **argv);

#endif
