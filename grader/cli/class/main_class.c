// Contains main() of the program "class", which runs the commands for a class of students. The program grade starts the
// program "class" and passes on its own command line (class.c). The help for the commands of "class" is in the table of
// commands of the program grade (main.c). The table of commands in main_class.c contains only the function of each
// command. If the first argument is UNPACK_WORD, the program "class" runs in a sandbox and parses a submission
// (unpack.h). The command "task" is not for users, because ./grade batch --slurm starts it on a cluster's nodes.
#include <signal.h>

#include "base/die.h"
#include "batch/unpack/unpack.h"
#include "cli/class/batch.h"

const struct cli_command cli_command[] = {
    {"batch", "", "", "", cli_batch},
    {"rejudge", "", "", "", cli_regrade_rejudge},
    {"replay", "", "", "", cli_regrade_replay},
    {"override", "", "", "", cli_regrade_override},
    {"move", "", "", "", cli_regrade_move},
    {"drop", "", "", "", cli_regrade_drop},
    {"restore", "", "", "", cli_regrade_restore},
    {"merge", "", "", "", cli_regrade_merge},
    {"report", "", "", "", cli_report},
    {"forget", "", "", "", cli_forget},
    {"seal", "", "", "", cli_seal},
    {"task", "", "", "", cli_cluster_task},
    {0},
};

int main(int argc, char **argv)
{
    struct cli_options options;
    unpack_serve(argc, argv);
    cli_paths_language();
    signal(SIGPIPE, SIG_IGN);
    int operands = cli_options_parse(&options, argc, argv);
    char **operand = argv + argc - operands;
    const struct cli_command *c = operands ? cli_command_find(operand[0]) : NULL;
    if (!c) die("this program is started by ./grade");
    return c->run(&options, operands - 1, operand + 1);
}
