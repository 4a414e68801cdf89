// The command line: commands, options and where the kit's files are.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdint.h>

#include "base/text.h"
#include "compile/compile.h"
#include "lab/lab.h"

#define CLI_VERSION "warpwise 0.1"

enum { CLI_PATH = 4096 };

enum cli_engine {
    CLI_ENGINE_AUTO, // speed from a card, where there is one
    CLI_ENGINE_SIM,
    CLI_ENGINE_GPU, // speed from a card; without one nothing is graded
};

// Options of all commands; a command uses what concerns it.
struct cli_options {
    const char *device;       // NULL: the engine's default
    const char *json;         // NULL: none; "-": standard output
    const char *coverage;     // NULL: none
    const char *card;         // which card; NULL: the first
    const char *output;       // -o: compile, grade --lms, batch
    const char *html, *junit; // grade; NULL: none
    const char *lms;          // grade: the course system; NULL: none
    const char *svg, *figure; // explain --svg, --figure; NULL: none, the worst access
    uint64_t seed;
    uint32_t threads;
    enum compile_kind compiler;
    int colour; // -1 never, 0 if standard output is a terminal, 1 always
    int no_sandbox;
    int engine; // enum cli_engine
    int all;    // hint --all
    // coalesce
    const char *addresses;          // NULL: by stride
    uint64_t stride, offset, bytes; // elements; bytes; bytes of an element, 0: 4
    int cached;
    uint32_t block, registers, shared; // occupancy: of a kernel that is thought of; block 0: of a lab's
    int unoptimised;                   // compile --unoptimised
    uint32_t devices;                  // run --devices; 0: one
    int check, profile;                // run
    const char *attached;              // run --attached: path of a program that runs already; see cli/run.c
    // for a class
    const char *course, *roster, *book, *rubric, *labs, *by, *reason, *earlier; // NULL: none
    uint32_t jobs;                                                              // 0: as many as there are processors
    int diff;
    int slurm; // batch on a cluster; what its job asks for, NULL: the cluster's default
    const char *partition, *account, *qos, *constraint, *gres;
    uint32_t tasks; // 0: by the number of submissions
    int help, version;
    char **words; // the whole command line
    int front;    // as many of them, behind the first, are options and their values
};

struct cli_command {
    const char *name, *arguments, *summary;
    const char *options; // what --help says of its options and itself; ends with a line feed
    int (*run)(const struct cli_options *, int argc, char **argv); // operands alone; returns the exit code
};
extern const struct cli_command cli_command[]; // ends with a NULL name
const struct cli_command *cli_command_find(const char *name);

int cli_grade(const struct cli_options *, int argc, char **argv);
int cli_list(const struct cli_options *, int argc, char **argv);
int cli_next(const struct cli_options *, int argc, char **argv);
int cli_hint(const struct cli_options *, int argc, char **argv);
int cli_compile(const struct cli_options *, int argc, char **argv);
int cli_explain(const struct cli_options *, int argc, char **argv);
int cli_watch(const struct cli_options *, int argc, char **argv);
int cli_reset(const struct cli_options *, int argc, char **argv);
int cli_reference(const struct cli_options *, int argc, char **argv);
int cli_manual(const struct cli_options *, int argc, char **argv);
int cli_completion(const struct cli_options *, int argc, char **argv);
int cli_doctor(const struct cli_options *, int argc, char **argv);
int cli_calibrate(const struct cli_options *, int argc, char **argv);
int cli_coalesce(const struct cli_options *, int argc, char **argv);
int cli_occupancy(const struct cli_options *, int argc, char **argv);
int cli_run(const struct cli_options *, int argc, char **argv);
int cli_help(const struct cli_options *, int argc, char **argv);
// The commands for a class: another program, grade's neighbour, takes the command line over.
int cli_class(const struct cli_options *, int argc, char **argv);

// Parses options wherever they stand; operands come first in argv afterwards. Returns the number of operands. Dies on
// an option that there is not.
int cli_options_parse(struct cli_options *, int argc, char **argv);
// The word by which the option of that name sets its field to the value.
const char *cli_options_word(const char *option, int value);

void cli_usage(struct text *); // the short usage with the labs
void cli_help_on(const struct cli_command *, struct text *);
// The lab of that name; dies with the nearest name otherwise.
const struct lab *cli_lab(const char *name);
// The nearest of the labs' and commands' names, or NULL when none is near.
const char *cli_nearest(const char *name);

// Thresholds measured on this machine's card by ./grade calibrate, for one lab. 1; or 0: there are none. Dies when the
// file is damaged.
struct cli_thresholds {
    char card[64]; // title
    double minimum, full;
};
struct cli_paths;
int cli_thresholds_read(const struct cli_paths *, const struct lab *, struct cli_thresholds *);

// Where the kit lies, from the place of the executable. Dies when it is not complete.
struct cli_paths {
    char root[CLI_PATH];    // the repository's root
    char kit[CLI_PATH];     // grader/compile/kit
    char runner[CLI_PATH];  // runner-sim, beside the executable
    char card[CLI_PATH];    // runner-gpu, beside it; empty: it was not built
    char include[CLI_PATH]; // grader/cudart/include
    char cudart[CLI_PATH];  // folder of libcudart, beside the executable
    char cache[CLI_PATH];   // build/cache
    char student[CLI_PATH]; // $SUBMISSION, or student/ in the root
};
void cli_paths_find(struct cli_paths *);
// Messages in the reader's language, from the catalogues beside the build.
void cli_paths_language(void);
// Where the lab's reference lies; 0: this kit has none.
int cli_reference_path(const struct cli_paths *, const struct lab *, char *path, size_t capacity);
// `path` as it is shown: without the current directory in front.
const char *cli_paths_shown(const char *path);

// A submission as it was read: the text, or, beyond COMPILE_MOST, its size alone.
struct cli_submission {
    char path[CLI_PATH], shown[CLI_PATH]; // shown: relative to here where it can be, and fit to be printed
    struct text source;                   // owned
    size_t bytes;
    int own; // 1: it is the default file, in the student's folder
};
// `given`: a file, a directory that holds the lab's file, or NULL for the student's folder. Dies when there is none.
void cli_submission_read(struct cli_submission *, const struct cli_paths *, const struct lab *, const char *given);

// The compiler that the options name, or the first there is; what it makes is for their device. Dies when there is
// none.
void cli_compiler_find(const struct cli_options *, struct compiler *);

// What a student reached so far, in .progress.json of his folder.
struct cli_record {
    int graded, best, passed, hints;
    int rung, rungs; // of the ladder, after a pass; rungs 0: not known
};
struct cli_record cli_record_get(const struct cli_paths *, const struct lab *);
// Adds an attempt to the lab's history, which keeps the last CLI_ATTEMPTS; and reads it, the oldest first: how many.
enum { CLI_ATTEMPTS = 200 };
struct report_attempt; // report/report.h
void cli_record_attempt(const struct cli_paths *, const struct lab *, const struct report_attempt *);
uint32_t cli_record_attempts(const struct cli_paths *, const struct lab *, struct report_attempt *attempt);
void cli_record_put(const struct cli_paths *, const struct lab *, const struct cli_record *);

#endif
