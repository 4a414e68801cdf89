// Contains main() of the program grade and the table of commands. If the first word on the command line is not a
// command, it is the name of a lab, so "./grade lab3" grades lab3.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"

const struct cli_command cli_command[] = {
    {"grade", "LAB [FILE]", N_("grades a lab's file: yours in student/, FILE, or the one in a directory"),
     N_("  --all             shows every finding, more than a screen holds, also those that follow from another\n"
        "  --json FILE       writes the whole report as JSON; '-': to standard output, instead of the report\n"
        "  --html FILE       writes a page with all of it: findings, source, pictures, what each line costs\n"
        "  --junit FILE      writes it as JUnit XML, for build servers\n"
        "  --github FILE     writes what it says of lines as commands for the log of GitHub Actions, which annotate "
        "them\n"
        "  --gitlab FILE     writes that as a Code Quality report, for GitLab's merge requests\n"
        "  --lms SYSTEM      writes the result file of gradescope, autolab, prairielearn or classroom50 where the "
        "system\n"
        "                    expects it; exit code 0 then means graded, whatever the mark\n"
        "  -o FILE           with --lms: writes it there; '-': to standard output, behind the report\n"
        "  --coverage FILE   writes what the cases executed as an lcov tracefile, for genhtml\n"
        "  --seed N          seed of the inputs (1)\n"
        "  --hints H         repair (default): try changes, and tell one that removes the first finding; rule\n"
        "  --engine E        sim: everything on the simulator; gpu: speed from a card; auto: from a card if there is "
        "one\n"
        "  --card N          which card: its number, or a name such as h200 (the first)\n"
        "  --device D        the device that is simulated (h200)\n"
        "  --compiler C      nvcc or clang (the first that is found)\n"
        "  --threads N       host threads (as many as there are cores); never changes a result\n"
        "  --color[=WHEN]    auto, always or never\n"
        "  --no-sandbox      runs compiler and kernels with resource limits alone\n"
        "  --timing          prints at the end, on standard error, how long each part of the grading took\n"
        "\"grade\" may be left out: ./grade lab3.\n"
        "Exit code: 0 passed, 1 graded and not passed, 2 not graded.\n"),
     cli_grade},
    {"list", "", N_("lists the labs and what you reached"), "", cli_list},
    {"next", "", N_("says which lab is next"), "", cli_next},
    {"hint", "LAB", N_("gives a hint, one more each time"), N_("  --all             gives all hints\n"), cli_hint},
    {"explain", "LAB [FILE]", N_("shows what each line costs, what bounds the kernels, and draws the worst access"),
     N_("  --svg FILE        instead writes the picture of the worst access, for light and dark pages; '-': standard "
        "output\n"
        "  --figure WHAT     which picture: sectors, banks, occupancy or grid; sectors:12 and banks:12 are those of "
        "line 12.\n"
        "                    For a lab of host code: timeline\n"
        "  --device D        the device that is simulated (h200)\n"
        "  --compiler C      nvcc or clang (the first that is found)\n"
        "  --color[=WHEN]    auto, always or never\n"
        "  --threads N --no-sandbox as in grade\n"
        "The file need not be right, only run to its end. Who has passed sees the reference's worst access too.\n"
        "Exit code: 0 explained, 1 it does not build or does not run to its end, 2 it could not be run.\n"),
     cli_explain},
    {"step", "LAB [FILE]",
     N_("walks through a block of a kernel step by step, forwards and back, to its first finding"),
     N_("  --html FILE       writes a page: the source, the lanes of each warp, memory with who wrote it, variables; "
        "'-': "
        "to\n"
        "                    standard output\n"
        "  --json FILE       writes the recording as JSON\n"
        "  --case N          the visible case: 1 is the first (the smallest in which the first finding shows)\n"
        "  --kernel K        the kernel (that of the finding, or the lab's first)\n"
        "  --block N         the block, by its index in the grid, x fastest (that of the finding, or 0)\n"
        "  --all             prints the whole walk, however long it is\n"
        "  --device D        the device that is simulated (h200)\n"
        "  --compiler C      nvcc or clang (the first that is found)\n"
        "  --seed N          seed of the inputs (1)\n"
        "  --color[=WHEN]    auto, always or never\n"
        "  --threads N --no-sandbox as in grade\n"
        "What it prints is the walk of the two threads from the first access to the second.\n"
        "Exit code: 0 recorded, 1 it does not build or cannot be launched, 2 it could not be run.\n"),
     cli_step},
    {"watch", "[LAB]", N_("grades at each save, and waits for keys: the lab saved last, or LAB"),
     N_("  --all --engine E --card N --device D --compiler C --seed N --threads N --color[=WHEN] --no-sandbox\n"
        "                    as in grade\n"
        "Keys: h hint, s step, e explain, l list, g grade, n next lab, r reset, q quit.\n"),
     cli_watch},
    {"reference", "LAB [RUNG]",
     N_("for who has passed: the ladder's steps, and what differs in the reference or in a rung"),
     N_("RUNG is a rung's number or name; without it, yours is compared with the reference.\n"
        "  --color[=WHEN]    auto, always or never\n"
        "Exit code: 0 shown, 1 not passed yet.\n"),
     cli_reference},
    {"answers", "LAB [EXERCISE]", N_("for who has passed: worked answers to the handout's exercises, or to one"),
     N_("  --now             also before you have passed\n"
        "  --color[=WHEN]    auto, always or never\n"
        "Exit code: 0 shown, 1 not passed yet, 2 this kit has no answers.\n"),
     cli_answers},
    {"reset", "LAB", N_("begins a lab anew; what you have is kept beside it"), "", cli_reset},
    {"compile", "[LAB] FILE", N_("compiles a lab's file and shows the compiler's errors"),
     N_("  -o FILE           writes the image (PTX)\n"
        "  --unoptimised     of the two images the unoptimised one\n"
        "  --device D        the device for which it is compiled (h200)\n"
        "  --compiler C      nvcc or clang (the first that is found)\n"
        "Exit code: 0 it compiles, 1 it does not, 2 the compiler cannot work.\n"),
     cli_compile},
    {"run", "FILE.cu... [ARGS]", N_("builds and runs a CUDA program on simulated devices"),
     N_("  --device D        the device that is simulated (h200)\n"
        "  --devices N       how many of them there are (1)\n"
        "  --check           looks for races and other hazards, of kernels and of the host; device code as written\n"
        "  --no-time         does not model the time of kernels, which makes programs run faster\n"
        "  --error-exitcode N\n"
        "                    exit code for a program that ends with 0 but has findings (0)\n"
        "  --profile         a table of kernels and a timeline, on standard error\n"
        "  --html FILE       writes a page with all of it: kernels, roofline, lines, timeline, findings; '-': to "
        "standard\n"
        "                    output, after the program's own\n"
        "  --json FILE       writes kernels, counters, findings and timeline as JSON\n"
        "  -I DIR, -D NAME, -std=...\n"
        "                    before the files: for the compiler; other words of nvcc's are known, too\n"
        "  --compiler C      nvcc or clang (the first that is found)\n"
        "  --threads N       host threads (as many as there are cores); never changes a result\n"
        "  --no-sandbox      runs compiler, program and simulator with resource limits alone\n"
        "Files are .cu, .cpp, .cc and .c; what follows them is the program's, and behind \"--\" everything is.\n"
        "Exit code: the program's; 1 it does not compile, 2 it could not be run, or it ended with 0 although the run\n"
        "is incomplete: something was refused or stopped, as the last line says.\n"),
     cli_run},
    {"occupancy", "[LAB [FILE]]",
     N_("says how many blocks of a lab's kernels fit a multiprocessor, and what stops one more"),
     N_("  --device D        the device (h200)\n"
        "  --compiler C      nvcc or clang (the first that is found)\n"
        "  --block N --registers N --shared N\n"
        "                    instead of a lab: a kernel with blocks of N threads, registers a thread, bytes a block\n"),
     cli_occupancy},
    {"coalesce", "", N_("draws the segments of memory that one warp's access moves"),
     N_("  --stride N        lane i names element N i\n"
        "  --addresses LIST  the lanes' addresses in bytes: 0-124:4,256 (from 0 to 124 by fours, then 256)\n"
        "  --bytes N         of an element: 1, 2, 4, 8 or 16 (4)\n"
        "  --offset N        bytes that the first element lies behind a line's begin (0)\n"
        "  --device D        the device (h200); gk110 joins segments into transactions\n"
        "  --cached          gk110: a load through the L1\n"),
     cli_coalesce},
    {"doctor", "", N_("says what this machine has, and what each absence costs"),
     N_("  --card N          which card: its number, or a name such as h200 (the first)\n"), cli_doctor},
    {"calibrate", "[LAB...]", N_("measures the labs' own kernels on this card and sets its thresholds"),
     N_("  --card N          which card: its number, or a name such as h200 (the first)\n"
        "  -o FILE           where to write them (calibration.json in the kit, which ./grade uses by itself)\n"
        "Takes a minute or two. Do it once for each kind of card, on a card that nobody else uses.\n"),
     cli_calibrate},
    // for maintainers: an empty summary leaves a command out of every list
    {"baseline", "LAB", "",
     N_("  --device D        the device that is simulated (h200)\n"
        "  --check           simulates nothing: exit code 0 if the baseline's record matches, 1 if not\n"
        "  --compiler C --seed N --threads N --no-sandbox as in grade\n"
        "Prints the baseline's record for one device; 'make baselines' writes all of them.\n"),
     cli_baseline},
    {"batch", "PATH...", N_("grades a class: folders, course systems' downloads, clones; a gradebook and feedback"),
     N_("  --out DIR         where the gradebook, its exports and feedback go (grades)\n"
        "  --book FILE       the gradebook itself (DIR/book.db)\n"
        "  --course FILE     course.json: weights, due dates, lateness, attempts, extensions\n"
        "  --roster FILE     who is in the class: a CSV as Canvas, Moodle or Gradescope export it, or name,id,email.\n"
        "                    Moodle's grading worksheet has the times of hand-in, too\n"
        "  --alias FILE      whose a name is that fits no row, or more: a CSV with alias,student; Canvas's groups, "
        "too\n"
        "  --students 'S/*'  which folders, archives and files below PATH are students', if they are not told apart\n"
        "  --student         each PATH is one student's, whatever is in it\n"
        "  --names ENCODING  encoding of names that do not bear a mark of it, such as cp949 (UTF-8, or a guess that is "
        "said)\n"
        "  --lab LAB,LAB     these labs alone; of one alone, sources may have any name\n"
        "  --rubric FILE     a rubric of the course's own, from now on\n"
        "  --dry-run         prints what would become of each path, and grades nothing\n"
        "  --lenient         exit code 0 although something was not matched or not readable\n"
        "  --jobs N          submissions at a time (as many as there are processors)\n"
        "  --seed N          seed of the inputs (1); --engine, --card, --device, --compiler, --threads as in grade\n"
        "  --slurm           on a cluster: as tasks of a Slurm job, whose nodes must see the kit and DIR\n"
        "  --partition P --account A --qos Q --constraint C --gres gpu:1\n"
        "                    what its job asks for, as in sbatch; sbatch's own variables (SBATCH_TIMELIMIT) hold too\n"
        "  --tasks K         so many tasks at the most, each with --jobs processors (1)\n"
        "Stopped at any moment and started again, with or without paths, it goes on where it was.\n"
        "Exit code: 0 all are graded, 2 some are not, or were not matched or not readable, and are listed; they are "
        "no\n"
        "zero marks. ./grade report lists what became of each path.\n"),
     cli_class},
    {"rejudge", "--rubric FILE", N_("scores a whole gradebook by another rubric, without running anything"),
     N_("  --diff            shows what would change, and changes nothing\n"
        "  --rubric kit      the kit's own\n"
        "  --book, --out, --course, --lab as in batch\n"),
     cli_class},
    {"replay", "ATTEMPT", N_("judges one attempt again and compares it to the byte"),
     N_("  --book, --out as in batch; --compiler, --threads as in grade; ATTEMPT is the number in gradebook.json\n"
        "Exit code: 0 the same, 1 not, 2 it could not be judged.\n"),
     cli_class},
    {"override", "STUDENT LAB POINTS", N_("sets a mark by hand, and records who, when and why"),
     N_("  --reason TEXT     why; it stands in the feedback\n"
        "  --by NAME         who (the user's name)\n"
        "  --force           more points than the lab has\n"
        "  --book, --out, --course as in batch\n"
        "POINTS are of the lab's, 100 with the kit's rubric, whatever the assignment has in the course system. With\n"
        "'none' the rules' mark counts again.\n"),
     cli_class},
    {"move", "ATTEMPT STUDENT", N_("gives an attempt to the student who made it"),
     N_("  --reason TEXT     why\n"
        "  --by NAME         who (the user's name)\n"
        "  --book, --out, --course as in batch; './grade report STUDENT' lists a student's attempts by number\n"
        "No import moves it back. './grade restore ATTEMPT' takes the decision back.\n"),
     cli_class},
    {"drop", "ATTEMPT", N_("takes an attempt out of the marks"),
     N_("  --reason TEXT     why; it stands in the feedback\n"
        "  --by NAME         who (the user's name)\n"
        "  --book, --out, --course as in batch\n"
        "No import brings it back. './grade restore ATTEMPT' does.\n"),
     cli_class},
    {"restore", "ATTEMPT", N_("takes back what move or drop decided: the attempt is whose the import says it is"),
     N_("  --reason TEXT     why\n"
        "  --by NAME         who (the user's name)\n"
        "  --book, --out, --course as in batch\n"),
     cli_class},
    {"merge", "[BOOK]", N_("takes speeds that a card measured later, from this gradebook or another"),
     N_("  --book, --out, --course as in batch\n"
        "BOOK must be graded with the same key: copy book.db.key to that machine before it grades.\n"
        "Of a run whose speed was the simulator's only the speed row changes, and no mark is ever lowered.\n"),
     cli_class},
    {"seal", "[accept|drop]", N_("lists the rows of a gradebook that somebody changed without the class's key"),
     N_("  accept            seals these rows as they stand: for a gradebook of an earlier version, or your own "
        "changes\n"
        "  drop              removes these rows: a run is then graded again, an attempt imported again\n"
        "  --book, --out as in batch\n"
        "Exit code: 0 each row is sealed now, 1 some are not, and are listed.\n"),
     cli_class},
    {"forget", "STUDENT", N_("removes a person from the gradebook: attempts, marks, feedback and sources"),
     N_("  --book, --out, --course as in batch; STUDENT is the key in gradebook.json\n"
        "What others handed in too, byte by byte, stays theirs. Copies and backups are yours to remove.\n"),
     cli_class},
    {"report", "[STUDENT]",
     N_("says how the class did: marks, checks, findings, speedups, who is missing, who is alike"),
     N_("  STUDENT           one student's attempts instead, with their numbers and what was decided about them\n"
        "  --earlier BOOK    an earlier term's gradebook: similarity to its sources, too\n"
        "  --pseudonyms      no names and paths, here and on the page: each student has the same word in each report\n"
        "  --book, --out, --course, --lab as in batch; the same as a page: DIR/report.html\n"
        "Similarity is the share of fingerprints in common; it is a list to look at, never a verdict.\n"),
     cli_class},
    {"completion", "", N_("prints what makes bash complete commands, labs and options"),
     N_("Once: source <(./grade completion); for good: in ~/.bashrc.\n"), cli_completion},
    {"manual", "", N_("prints the page grade(1): ./grade manual | man -l -"), "", cli_manual},
    {"help", "[COMMAND]", N_("explains a command"), "", cli_help},
    {0},
};

static void print(struct text *t, FILE *to)
{
    fputs(t->data, to);
    text_free(t);
}

int main(int argc, char **argv)
{
    struct cli_options options;
    struct text text = {0};
    memory_keep_freed();
    cli_paths_language();
    signal(SIGPIPE, SIG_IGN);
    int operands = cli_options_parse(&options, argc, argv);
    char **operand = argv + argc - operands;
    if (options.version) {
        puts(CLI_VERSION);
        return 0;
    }
    const struct cli_command *command = operands ? cli_command_find(operand[0]) : NULL;
    if (options.help) {
        if (command)
            cli_help_on(command, &text);
        else if (operands && lab_find(operand[0]))
            cli_help_on(cli_command_find("grade"), &text);
        else
            cli_usage(&text);
        print(&text, stdout);
        return 0;
    }
    if (!operands) {
        cli_usage(&text);
        print(&text, stderr);
        return EXIT_NOT_GRADED;
    }
    if (!command) cli_lab(operand[0]);
    cli_options_check(command ? command : cli_command_find("grade"));
    if (command) return command->run(&options, operands - 1, operand + 1);
    return cli_grade(&options, operands, operand);
}
