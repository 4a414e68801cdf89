// The command line: the commands, their options, and the places of the kit's files.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdint.h>

#include "base/text.h"
#include "compile/compile.h"
#include "lab/lab.h"

#define CLI_VERSION "warpwise 0.1"

enum { CLI_PATH = 4096 };

enum cli_engine {
    CLI_ENGINE_AUTO, // measure speed on a card if there is one
    CLI_ENGINE_SIM,
    CLI_ENGINE_GPU, // measure speed on a card; without a card nothing is graded
};

// The options of all commands. A command reads those that it documents.
struct cli_options {
    const char *device;       // name of a device profile; NULL: the engine's default
    const char *json;         // file name; NULL: none; "-": standard output
    const char *coverage;     // file name; NULL: none
    const char *card;         // number or name of the card; NULL: the first
    const char *output;       // -o of compile, grade --lms and batch
    const char *html, *junit; // of grade: file names; NULL: none
    const char *lms;          // of grade: name of the course system; NULL: none
    const char *svg, *figure; // of explain; NULL: no figure file, the worst access
    uint64_t seed;
    uint32_t threads;
    enum compile_kind compiler;
    int colour; // -1: never; 0: if standard output is a terminal; 1: always
    int no_sandbox;
    int engine; // enum cli_engine
    int all;    // of hint
    // coalesce
    const char *addresses;          // list of addresses; NULL: from stride and offset
    uint64_t stride, offset, bytes; // in elements; in bytes; bytes of an element, 0 means 4
    int cached;
    uint32_t block, registers, shared; // of occupancy: a kernel's resources; block 0: those of a lab's kernel
    int unoptimised;                   // of compile
    uint32_t devices;                  // of run; 0: one
    int check, profile;                // of run
    const char *attached;              // of run: path of a program that is already running, see cli/run.c
    // the commands for a class
    const char *course, *roster, *book, *rubric, *labs, *by, *reason, *earlier; // NULL: not given
    uint32_t jobs;                                                              // 0: the number of processors
    int diff;
    // batch on a cluster, and what its job requests. NULL: the cluster's default.
    int slurm;
    const char *partition, *account, *qos, *constraint, *gres;
    uint32_t tasks; // 0: derived from the number of submissions
    int help, version;
    char **words; // the whole command line
    int front;    // the number of words after the first that are options and their values
};

// A command and its help.
struct cli_command {
    const char *name, *arguments, *summary;
    const char *options; // the options as --help shows them; ends with a line feed
    int (*run)(const struct cli_options *, int argc, char **argv); // argv has the operands only; returns the exit code
};
extern const struct cli_command cli_command[]; // the last element has a NULL name
// Returns the command of that name, or NULL.
const struct cli_command *cli_command_find(const char *name);

// The commands. Each returns the program's exit code.
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
// Runs a command for a class: replaces this process by the program "class" beside the executable, with the same command
// line.
int cli_class(const struct cli_options *, int argc, char **argv);

// Parses the options of a command line, wherever they are, and moves the operands to the front of argv. Returns the
// number of operands. Dies on an unknown option.
int cli_options_parse(struct cli_options *, int argc, char **argv);
// Returns the word with which the option sets its field to `value`. The option must be one that takes words.
const char *cli_options_word(const char *option, int value);

// Appends the short usage message with the list of labs.
void cli_usage(struct text *);
// Appends the help of a command.
void cli_help_on(const struct cli_command *, struct text *);
// Returns the lab of that name. If there is none, dies with a message that suggests the most similar name.
const struct lab *cli_lab(const char *name);
// Returns the lab's or command's name that is most similar to `name`, or NULL if none is similar.
const char *cli_nearest(const char *name);

// The speedups that a lab requires on this machine's card, as measured by ./grade calibrate.
struct cli_thresholds {
    char card[64]; // the card's name
    double minimum, full;
};
struct cli_paths;
// Reads the thresholds of a lab. Returns 1, or 0 if the card was not calibrated. Dies if the file is damaged.
int cli_thresholds_read(const struct cli_paths *, const struct lab *, struct cli_thresholds *);

// The places of the kit's files.
struct cli_paths {
    char root[CLI_PATH];    // root folder of the repository
    char kit[CLI_PATH];     // grader/compile/kit
    char runner[CLI_PATH];  // runner-sim, in the executable's folder
    char card[CLI_PATH];    // runner-gpu, in the executable's folder; empty: it was not built
    char include[CLI_PATH]; // grader/cudart/include
    char cudart[CLI_PATH];  // folder of libcudart, in the executable's folder
    char cache[CLI_PATH];   // build/cache
    char student[CLI_PATH]; // $SUBMISSION, or student/ in the root folder
};
// Finds the kit from the place of the executable. Dies if a part of the kit is missing.
void cli_paths_find(struct cli_paths *);
// Selects the message catalogue of the user's language.
void cli_paths_language(void);
// Writes the path of the lab's reference kernel. Returns 1, or 0 if this kit has no reference.
int cli_reference_path(const struct cli_paths *, const struct lab *, char *path, size_t capacity);
// Returns `path` for display: without the current directory in front.
const char *cli_paths_shown(const char *path);

// A submission that was read. If the file is larger than COMPILE_MOST, only its size is known.
struct cli_submission {
    // shown: relative to the current directory if possible, and without control characters
    char path[CLI_PATH], shown[CLI_PATH];
    struct text source; // owned
    size_t bytes;
    int own; // 1: it is the file in the student's folder
};
// Reads a submission. `given` is a file, a directory that contains the lab's file, or NULL for the student's folder.
// Dies if there is no such file.
void cli_submission_read(struct cli_submission *, const struct cli_paths *, const struct lab *, const char *given);

// Finds the compiler that the options name, or the first that is installed, and sets its target to the options' device.
// Dies if there is none.
void cli_compiler_find(const struct cli_options *, struct compiler *);

// A student's progress in one lab, from .progress.json in the student's folder.
struct cli_record {
    // number of gradings; best points; 1 if passed; number of hints read
    int graded, best, passed, hints;
    int rung, rungs; // position on the ladder and its length, after a pass; rungs 0: unknown
};
// Reads the progress in a lab. A missing or damaged file means no progress.
struct cli_record cli_record_get(const struct cli_paths *, const struct lab *);
enum { CLI_ATTEMPTS = 200 };
struct report_attempt;
// Appends an attempt to the lab's history, which keeps the last CLI_ATTEMPTS.
void cli_record_attempt(const struct cli_paths *, const struct lab *, const struct report_attempt *);
// Reads the history into `attempt` (CLI_ATTEMPTS elements), the oldest first. Returns the number of attempts.
uint32_t cli_record_attempts(const struct cli_paths *, const struct lab *, struct report_attempt *attempt);
// Writes the progress in a lab. Ignores errors.
void cli_record_put(const struct cli_paths *, const struct lab *, const struct cli_record *);

#endif
