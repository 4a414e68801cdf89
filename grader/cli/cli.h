// Declares the command line: the commands, their options, and the paths of the autograder's files.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdint.h>

#include "base/text_struct.h"
#include "compile/compile.h"
#include "lab/lab.h"
#include "lab/threshold.h"

#define CLI_VERSION "warpwise 0.9"

enum { CLI_PATH = 4096 };

// Says how much a report's hints tell: a repair that the grader has tried, or only the rule that the kernel broke.
enum cli_hints { CLI_HINTS_REPAIR, CLI_HINTS_RULE };
enum cli_engine {
    CLI_ENGINE_AUTO, // measure speed on a card if the machine has a card
    CLI_ENGINE_SIM,
    CLI_ENGINE_GPU, // measure speed on a card; grade nothing if there is no card
};

// Holds the options of all commands of ./grade. Each command reads the options that its help lists.
struct cli_options {
    const char *device;   // name of a device profile; NULL: the engine's default
    const char *json;     // file name; "-": standard output; NULL: write no JSON
    const char *coverage; // file name; NULL: write no coverage
    const char *card;     // number or name of the card; NULL: the first card
    const char *output;   // option -o of compile, grade --lms and batch
    const char *html;     // option of grade and run, like `json`
    const char *lms;      // option of grade: name of the course system; NULL: no course system
    // options of grade: file names; NULL: write no such file
    const char *junit, *github, *gitlab;
    // options of explain; a NULL `svg` means no figure file, a NULL `figure` means the worst access
    const char *svg, *figure;
    uint64_t seed;
    uint32_t threads;
    enum compile_kind compiler;
    int colour; // -1: never use colour; 0: use colour if standard output is a terminal; 1: always use colour
    int no_sandbox;
    int timing; // option of grade: print how long each part took
    int engine; // enum cli_engine
    int hints;  // enum cli_hints
    int all;    // option of hint: show all hints
    int now;    // option of answers: show them before a pass
    // The following fields are options of the command coalesce. `stride` is in elements, `offset` is in bytes, and
    // `bytes` is the size of an element, where 0 means 4.
    const char *addresses; // list of addresses; NULL: use stride and offset
    uint64_t stride, offset, bytes;
    int cached;
    // options of occupancy: resources of a kernel; block 0: use the resources of a lab's kernel
    uint32_t block, registers, shared;
    uint32_t number;    // option --case of step; 0: not given
    const char *kernel; // option of step; NULL: not given
    int unoptimised;    // option of compile
    uint32_t devices;   // option of run: number of devices; 0 means 1
    // option of run: exit status for a complete run with defects; 0: the program's own exit status
    uint32_t error_exitcode;
    int check, profile, no_time; // options of run
    const char *attached;        // option of run: path of a program that is already running (cli/run.c)
    // The following fields are options of the commands for a class.
    const char *course, *roster, *alias, *students, *names, *book, *rubric, *labs, *by, *reason,
        *earlier; // NULL: the option is not given
    // number of workers at the same time; 0: the number of processors
    uint32_t jobs;
    int diff, dry_run, lenient, force, pseudonyms, student;
    // The following fields are options of ./grade batch on a Slurm cluster. The strings name resources that the Slurm
    // job requests; a NULL string stands for the cluster's default.
    int slurm;
    const char *partition, *account, *qos, *constraint, *gres;
    uint32_t tasks; // maximum number of tasks; 0: derived from the number of submissions
    int help, version;
    char **words; // all words of the command line
};

// Describes a command of ./grade and its help texts.
struct cli_command {
    const char *name, *arguments;
    const char *summary; // empty: a command for maintainers, which no list of commands shows
    const char *options; // the command's options as --help prints them; ends with a line feed
    // runs the command with the operands in argv; returns the exit code
    int (*run)(const struct cli_options *, int argc, char **argv);
};
extern const struct cli_command cli_command[]; // the last element has a NULL name
// Returns the command of ./grade with the name `name`, or NULL if there is no such command.
const struct cli_command *cli_command_find(const char *name);

// Each function from cli_grade() to cli_help() runs one command of ./grade and returns the program's exit code.
int cli_grade(const struct cli_options *, int argc, char **argv);
int cli_list(const struct cli_options *, int argc, char **argv);
int cli_next(const struct cli_options *, int argc, char **argv);
int cli_hint(const struct cli_options *, int argc, char **argv);
int cli_compile(const struct cli_options *, int argc, char **argv);
int cli_explain(const struct cli_options *, int argc, char **argv);
int cli_step(const struct cli_options *, int argc, char **argv);
int cli_watch(const struct cli_options *, int argc, char **argv);
int cli_reset(const struct cli_options *, int argc, char **argv);
int cli_reference(const struct cli_options *, int argc, char **argv);
int cli_answers(const struct cli_options *, int argc, char **argv);
int cli_manual(const struct cli_options *, int argc, char **argv);
int cli_completion(const struct cli_options *, int argc, char **argv);
int cli_doctor(const struct cli_options *, int argc, char **argv);
int cli_calibrate(const struct cli_options *, int argc, char **argv);
int cli_baseline(const struct cli_options *, int argc, char **argv);
int cli_coalesce(const struct cli_options *, int argc, char **argv);
int cli_occupancy(const struct cli_options *, int argc, char **argv);
int cli_run(const struct cli_options *, int argc, char **argv);
int cli_help(const struct cli_options *, int argc, char **argv);
// Runs a command for a class of students. Replaces this process by the program "class" in the executable's folder and
// passes on the whole command line.
int cli_class(const struct cli_options *, int argc, char **argv);

// Parses the options at any position of a command line and moves the operands to the end of argv. Returns the number of
// operands. Dies if the command line contains an unknown option.
int cli_options_parse(struct cli_options *, int argc, char **argv);
// Dies if the command line has an option that the command's help does not list, or an option that another option makes
// meaningless. Because of cli_options_check(), no option on the command line is silently ignored.
void cli_options_check(const struct cli_command *);
// Writes those options of the command line that a command takes to `word`, at most `most`, as "--name=value". Returns
// their number. They are never freed.
int cli_options_words(const struct cli_command *, char **word, int most);
// Returns the word on the command line that a user gives to the option `option` to store the number `value` in struct
// Returns 1 if the option stands on the command line.
int cli_options_given(const char *name);
// cli_options. The option must accept only the words that option.def lists for it (WORD or PERHAPS).
const char *cli_options_word(const char *option, int value);

// Appends the short usage message with the list of labs.
void cli_usage(struct text *);
// Appends the help text of a command of ./grade.
void cli_help_on(const struct cli_command *, struct text *);
// Returns the lab with the name `name`. If there is no lab `name`, dies with a message that suggests the most similar
// name.
const struct lab *cli_lab(const char *name);
// Returns the name of the lab or command that is most similar to `name`, or NULL if no name is similar.
const char *cli_nearest(const char *name);

// Holds the speedup thresholds of a lab on this machine's graphics card.
struct cli_thresholds {
    char card[64]; // name of the card
    struct lab_threshold threshold;
};
struct cli_paths;
// Reads the thresholds of a lab from the calibration file, which ./grade calibrate writes. Returns 1, or 0 if the
// calibration file has no thresholds for the lab. If the calibration file has none, stores the lab's thresholds for an
// H200. Dies if the calibration file is damaged.
int cli_thresholds_read(const struct cli_paths *, const struct lab *, struct cli_thresholds *);

// Holds the paths of the autograder's files and folders.
struct cli_paths {
    char root[CLI_PATH];    // root folder of the repository
    char kit[CLI_PATH];     // grader/kit
    char runner[CLI_PATH];  // runner-sim, in the executable's folder
    char card[CLI_PATH];    // runner-gpu, in the executable's folder; empty: runner-gpu was not built
    char cudart[CLI_PATH];  // folder of libcudart, in the executable's folder
    char cache[CLI_PATH];   // build/cache
    char student[CLI_PATH]; // $SUBMISSION, or student/ in the root folder
};
// Finds the autograder's files, such as labs, headers and runner programs, starting from the folder of the executable.
// Dies if a necessary file or folder is missing.
void cli_paths_find(struct cli_paths *);
// The reason, to be translated, why there is no runner-gpu. cli_paths_need_card() dies if there is none.
#define CLI_CARDLESS N_("its runner was not built")
void cli_paths_need_card(const struct cli_paths *);
// Selects the message catalogue, with translations, for the user's language.
void cli_paths_language(void);
// Writes the path of the lab's reference solution to `path`. Returns 1, or 0 if the autograder's repository contains no
// reference solution for the lab.
int cli_reference_path(const struct cli_paths *, const struct lab *, char *path, size_t capacity);
// Returns `path` for display. If `path` begins with the current directory, the returned path omits this directory.
const char *cli_paths_shown(const char *path);

// Holds a submission that was read from a file. If the submission's file is larger than COMPILE_MOST bytes, only the
// file's size is known.
struct cli_submission {
    // `shown` is the path for display. `shown` is relative to the current directory if possible, and contains no
    // control characters.
    char path[CLI_PATH], shown[CLI_PATH];
    struct text source; // owned
    size_t bytes;
    int own; // 1: the submission is the file in the student's folder
};
// Reads a submission. `given` is the submission's file, a directory that contains the lab's file, or NULL for the
// student's folder. Dies if the submission's file does not exist or cannot be read.
void cli_submission_read(struct cli_submission *, const struct cli_paths *, const struct lab *, const char *given);

// Finds the compiler that the options name, or else the first installed compiler. Sets the compiler's target
// architecture to that of the device that the options name. Dies if no compiler is found.
void cli_compiler_find(const struct cli_options *, struct compiler *);

// Holds a student's progress in one lab, from the file .progress.json in the student's folder.
struct cli_record {
    // `graded` is 1 if the student has graded the lab before. `best` is the best number of points. `passed` is 1 after
    // a pass. `hints` is the number of hints that the student has read.
    int graded, best, passed, hints;
    int rung, rungs; // position on the lab's ladder, and number of rungs; `rungs` is 0 before a pass
};
// Reads the student's progress in a lab. A missing or damaged .progress.json means that the student has no progress.
struct cli_record cli_record_get(const struct cli_paths *, const struct lab *);
enum { CLI_ATTEMPTS = 200 };
struct report_attempt;
// Appends an attempt to the student's history of a lab, which keeps the last CLI_ATTEMPTS attempts.
void cli_record_attempt(const struct cli_paths *, const struct lab *, const struct report_attempt *);
// Reads the student's attempts at a lab into `attempt` (CLI_ATTEMPTS elements), with the oldest attempt first. Returns
// the number of attempts that were read.
uint32_t cli_record_attempts(const struct cli_paths *, const struct lab *, struct report_attempt *attempt);
// Writes the student's progress in a lab. Ignores errors.
void cli_record_put(const struct cli_paths *, const struct lab *, const struct cli_record *);

#endif
