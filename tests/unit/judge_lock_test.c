// Graders on one machine take turns with a card.
#include <glob.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "judge/card/lock.h"

static char card[32]; // of this test alone

// A grader that says by a byte that its turn has come.
static pid_t start_other(const char *which, int *said)
{
    int end[2];
    assert_int_equal(pipe(end), 0);
    pid_t other = fork();
    assert_true(other >= 0);
    if (!other) {
        int turn = card_lock_take(which);
        _exit(write(end[1], "", 1) == 1 && turn >= 0 ? 0 : 1);
    }
    close(end[1]);
    *said = end[0];
    return other;
}

static int says_within(int said, int ms)
{
    struct pollfd p = {.fd = said, .events = POLLIN};
    return poll(&p, 1, ms) == 1;
}

static void finish(pid_t other, int said)
{
    int status;
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
    close(said);
}

static void the_next_waits(void **state)
{
    (void)state;
    int said, turn = card_lock_take(card);
    assert_true(turn >= 0);
    pid_t other = start_other(card, &said);
    assert_false(says_within(said, 200));
    card_lock_release(turn);
    assert_true(says_within(said, 10000));
    finish(other, said);
}

static void another_card_is_free(void **state)
{
    (void)state;
    char name[sizeof card + 2];
    int said, turn = card_lock_take(card);
    snprintf(name, sizeof name, "%sb", card);
    pid_t other = start_other(name, &said);
    assert_true(says_within(said, 10000));
    finish(other, said);
    card_lock_release(turn);
}

static void a_turn_ends_with_its_process(void **state)
{
    (void)state;
    int said;
    pid_t other = start_other(card, &said);
    finish(other, said);
    int turn = card_lock_take(card);
    assert_true(turn >= 0);
    card_lock_release(turn);
}

static int clean(void **state)
{
    (void)state;
    char pattern[80];
    glob_t files;
    snprintf(pattern, sizeof pattern, "/tmp/warpwise-card*.%s*", card);
    if (glob(pattern, 0, NULL, &files)) return 0;
    for (size_t i = 0; i < files.gl_pathc; ++i) unlink(files.gl_pathv[i]);
    globfree(&files);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_waits),
        cmocka_unit_test(another_card_is_free),
        cmocka_unit_test(a_turn_ends_with_its_process),
    };
    snprintf(card, sizeof card, "test%d", (int)getpid());
    return cmocka_run_group_tests(tests, NULL, clean);
}
