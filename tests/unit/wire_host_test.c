// How a host program starts its runner, without a visible effect on the program.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/border/host.h"

enum { PATIENCE_MS = 20000 };

// A program's pipe ends where the program closes it, however long its runner lives.
static void a_runner_holds_no_pipe_of_the_program(void **state)
{
    (void)state;
    struct host_client client = {0};
    // Says that it runs, and ends when the doorbell is closed.
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"echo >&4; cat <&4"}, NULL};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    int far = fcntl(ends[1], F_DUPFD, 40); // not where the runner's own come to lie
    close(ends[1]);
    assert_int_equal(host_client_make(&client), 0);
    assert_int_equal(host_client_start(&client, "/bin/sh", argv), 0);
    close(far);
    struct pollfd wait = {.fd = ends[0], .events = POLLIN};
    char byte = 0;
    assert_int_equal(read(client.channel.doorbell, &byte, 1), 1);
    int ended = poll(&wait, 1, PATIENCE_MS);
    host_client_free(&client);
    assert_int_equal(ended, 1);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

static volatile sig_atomic_t told;
static void tell(int signal)
{
    (void)signal;
    told++;
}

// A program that waits for all of its children does not wait for the runner; who frees the client does.
static void a_runner_is_no_child_of_the_program(void **state)
{
    (void)state;
    struct host_client client = {0};
    int ends[2];
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"cat <&4; echo ended >&0"}, NULL};
    assert_int_equal(pipe(ends), 0);
    int input = dup(0);
    dup2(ends[1], 0); // what the runner keeps
    signal(SIGCHLD, tell);
    assert_int_equal(host_client_make(&client), 0);
    assert_int_equal(host_client_start(&client, "/bin/sh", argv), 0);
    dup2(input, 0);
    close(input);
    close(ends[1]);
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    host_client_free(&client);
    char text[8] = "";
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(read(ends[0], text, sizeof text), 6); // it had ended before
    assert_string_equal(text, "ended\n");
    assert_int_equal(told, 0);
    signal(SIGCHLD, SIG_DFL);
    close(ends[0]);
}

static void a_runner_that_is_not_there_has_a_sentence(void **state)
{
    (void)state;
    struct host_client client = {0};
    char *argv[] = {(char[]){"grade"}, NULL};
    assert_int_equal(host_client_make(&client), 0);
    assert_int_equal(host_client_start(&client, "/nowhere/grade", argv), -1);
    assert_non_null(strstr(client.message, "cannot start '/nowhere/grade': No such file"));
    host_client_free(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_runner_holds_no_pipe_of_the_program),
        cmocka_unit_test(a_runner_is_no_child_of_the_program),
        cmocka_unit_test(a_runner_that_is_not_there_has_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
