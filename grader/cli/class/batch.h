// Declares what the commands for a class, such as ./grade batch, have in common: the gradebook, the course's rules, and
// the settings for judging.
#ifndef CLI_CLASS_BATCH_H
#define CLI_CLASS_BATCH_H

#include "batch/book/results.h"
#include "batch/book/rules.h"
#include "batch/course/course.h"
#include "batch/course/roster.h"
#include "batch/grading/batch.h"
#include "cli/cli.h"

// Holds an open gradebook, together with the course's rules and the labs that the user chose.
struct cli_gradebook {
    const struct cli_options *options;
    char out[CLI_PATH], path[2 * CLI_PATH]; // `out`: folder of the exports; `path`: path of the gradebook's file
    struct gradebook *gradebook;
    struct course course;
    struct rules rules;         // text of `course`
    int fresh_rules;            // 1: `rules` are not the gradebook's, and cli_gradebook_keep_rules() makes them so
    char course_file[CLI_PATH]; // path of course.json; "": there is none
    const struct lab *lab[COURSE_LABS + 1]; // labs that the option --lab names, or all labs; NULL-terminated
    // labs of the results, set by cli_gradebook_read_results(); NULL-terminated
    const struct lab *known[COURSE_LABS + 1];
};
// Writes the path of the gradebook that the options --book and --out name to `path`.
void cli_gradebook_path(const struct cli_options *, char *path, size_t size);
// What a command does with the gradebook.
enum cli_gradebook_use {
    CLI_GRADEBOOK_READ,   // reads it, and cannot write
    CLI_GRADEBOOK_TRY,    // writes within a transaction that it undoes; for a dry run, the gradebook may be missing
    CLI_GRADEBOOK_CHANGE, // writes
    CLI_GRADEBOOK_MAKE    // writes, and creates a missing gradebook
};
// Opens the gradebook and reads the course's rules: those of the option --course, or else those in the gradebook. Only
// a command that changes the gradebook takes the rules of --course into it. Dies if the rules cannot be read or the
// gradebook cannot be opened. Warns if the file of the gradebook's rules has changed. Checks the names in the rules,
// except for ./grade batch, which calls cli_gradebook_check_names() and cli_gradebook_keep_rules() once the roster is
// in the gradebook.
void cli_gradebook_open(struct cli_gradebook *, const struct cli_options *, enum cli_gradebook_use);
// Takes the course's rules into the gradebook if they are new, and prints each mark that they change.
void cli_gradebook_keep_rules(struct cli_gradebook *);
// Dies if course.json gives an extension to somebody who is not in the class. Warns if there is no roster.
void cli_gradebook_check_names(const struct cli_gradebook *);
// Reads the results of the class in the labs that the option --lab names. Without the option --lab, reads the results
// in all labs that course.json or an attempt names. The caller frees the results with results_free() before closing the
// gradebook.
void cli_gradebook_read_results(struct results *, struct cli_gradebook *);
// Writes the exported marks and the feedback into the folder that the option --out names. Appends lines to `told` that
// say which file goes to which course system; it may be NULL.
void cli_gradebook_write(struct cli_gradebook *, struct text *told);
void cli_gradebook_close(struct cli_gradebook *);
// Prints each mark that differs between two results of the same students and labs. Returns the number of these marks.
uint32_t cli_gradebook_show_changes(const struct results *before, const struct results *after);
// Returns the student whom a person means by `name`: a key, or a name, number or address that only one student has.
// Dies if there is no such student. If there are several, dies with a message that lists their keys.
const struct roster_student *cli_gradebook_student(const struct cli_gradebook *, const struct roster *,
                                                   const char *name);
// Reads a rubric from the file `path`. The path "kit" means the rubric that comes with the autograder. Dies if the file
// is not a rubric. The caller frees the rubric with rubric_free().
void cli_gradebook_read_rubric(struct rubric_file *, const char *path);

// Holds the settings for judging a class: all fields of a judge's job except the lab and the source.
struct cli_batch_judging {
    struct cli_paths paths;
    struct compiler compiler;
    const char *runner[2], *card_runner[2];
    struct cli_thresholds thresholds;
    char baseline[2 * CLI_PATH], main[2 * CLI_PATH], card[96];
    struct gradebook_key key;
    struct pool pool; // contains pointers into this struct, so the caller must not move the struct
};
// Finds the compiler, the graphics card, and the runners (the programs that execute kernels) for the given options.
// Dies if there is no compiler or runner, or no card although the options require a card.
void cli_batch_judging_make(struct cli_batch_judging *, const struct cli_options *);

// Runs the command ./grade batch --slurm. Returns the number of submissions that were neither graded nor recorded as a
// failure.
uint32_t cli_cluster(struct cli_gradebook *, struct batch *);

// Each function from cli_batch() to cli_seal() runs one of the commands for a class and returns the program's
// exit code.
int cli_batch(const struct cli_options *, int argc, char **argv);
int cli_regrade_rejudge(const struct cli_options *, int argc, char **argv);
int cli_regrade_replay(const struct cli_options *, int argc, char **argv);
int cli_regrade_override(const struct cli_options *, int argc, char **argv);
int cli_regrade_move(const struct cli_options *, int argc, char **argv);
int cli_regrade_drop(const struct cli_options *, int argc, char **argv);
int cli_regrade_restore(const struct cli_options *, int argc, char **argv);
int cli_report(const struct cli_options *, int argc, char **argv);
int cli_regrade_merge(const struct cli_options *, int argc, char **argv);
int cli_forget(const struct cli_options *, int argc, char **argv);
int cli_seal(const struct cli_options *, int argc, char **argv);
// Runs the command "task FOLDER NUMBER COUNT", which a cluster job starts on its nodes. The command "task" judges one
// task's submissions in the spool folder FOLDER (batch/grading/cluster.h). Returns the program's exit code.
int cli_cluster_task(const struct cli_options *, int argc, char **argv);

#endif
