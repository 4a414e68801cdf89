// What the commands for a class share: a gradebook, a course, and where things go.
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "batch/batch.h"
#include "batch/course.h"
#include "batch/results.h"
#include "batch/roster.h"
#include "cli/cli.h"

struct cli_gradebook {
    const struct cli_options *options;
    char out[CLI_PATH], path[2 * CLI_PATH]; // folder; the gradebook's file
    struct gradebook *gradebook;
    struct course course;
    const struct lab *lab[COURSE_LABS + 1];   // those of --lab, or all; NULL-terminated
    const struct lab *known[COURSE_LABS + 1]; // cli_gradebook_read_results()'s
};
// Reads the course and opens the gradebook, which must be there unless `make`. Dies when it cannot.
void cli_gradebook_open(struct cli_gradebook *, const struct cli_options *, int make);
// Where the class stands, in the labs of --lab or in those that the course or a student knows of.
void cli_gradebook_read_results(struct results *, struct cli_gradebook *);
// Writes gradebooks and feedback as they stand now.
void cli_gradebook_write(struct cli_gradebook *);
void cli_gradebook_close(struct cli_gradebook *);
// A rubric's file, "kit" for the kit's own. Dies when it is none.
void cli_gradebook_read_rubric(struct rubric_file *, const char *path);

// How a class is judged: what a judge's job is but for lab and source, and what grades.
struct cli_batch_judging {
    struct cli_paths paths;
    struct compiler compiler;
    const char *runner[2], *card_runner[2];
    struct cli_thresholds thresholds;
    char baseline[2 * CLI_PATH], main[2 * CLI_PATH], card[96];
    struct gradebook_key key;
    struct pool pool; // points into this struct, which therefore must not move
};
void cli_batch_judging_make(struct cli_batch_judging *, const struct cli_options *);

// batch --slurm. How many are not graded, without having failed.
uint32_t cli_cluster(struct cli_gradebook *, struct batch *);

int cli_batch(const struct cli_options *, int argc, char **argv);
int cli_regrade_rejudge(const struct cli_options *, int argc, char **argv);
int cli_regrade_replay(const struct cli_options *, int argc, char **argv);
int cli_regrade_override(const struct cli_options *, int argc, char **argv);
int cli_report(const struct cli_options *, int argc, char **argv);
int cli_regrade_merge(const struct cli_options *, int argc, char **argv);
// For a job on a cluster: "task FOLDER NUMBER COUNT" judges its part of what lies in the folder (cluster.h).
int cli_cluster_task(const struct cli_options *, int argc, char **argv);

#endif
