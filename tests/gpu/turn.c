// Runs a command when the card is free, and keeps graders off it meanwhile (judge/card/lock.h): turn COMMAND ARGUMENT…
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "judge/card/lock.h"

int main(int argc, char **argv)
{
    int status;
    if (argc < 2) die("usage: turn COMMAND ARGUMENT…");
    int turn = card_lock_take("");
    pid_t child = fork();
    if (child < 0) die("cannot start a process");
    if (!child) {
        execvp(argv[1], argv + 1);
        die("there is no program '%s'", argv[1]);
    }
    if (waitpid(child, &status, 0) != child) die("'%s' was lost", argv[1]);
    card_lock_release(turn);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
