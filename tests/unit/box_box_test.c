// Programs that misbehave in a sandbox: they fork, write without end, sleep, and look for files. The tests check what
// each program can reach and what remains of it.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/gcov.h"
#include "base/text.h"
#include "box/box.h"
#include "box/group.h"
#include "old_kernel.h"

enum { PATH = 512 };
static char directory[BOX_PATH];

static int set_up(void **state)
{
    (void)state;
    struct text why = {0};
    return box_directory_make(directory, &why);
}

static int tear_down(void **state)
{
    (void)state;
    box_directory_remove(directory);
    return access(directory, F_OK) ? 0 : -1;
}

static struct box_spec shell(const char *const *argv)
{
    return (struct box_spec){.argv = argv, .directory = directory, .output = 1000, .wall_s = 5, .cpu_s = 5};
}

// Runs a shell script in a box as set up by `spec` (argv is filled in here).
static struct box run_as(struct box_spec spec, const char *script)
{
    const char *const argv[4] = {"/bin/sh", "-c", script, NULL};
    struct box box;
    struct text why = {0};
    spec.argv = argv;
    if (box_run(&spec, &box, &why)) fail_msg("%s", why.data);
    return box;
}

static struct box run(const char *script)
{
    return run_as(shell(NULL), script);
}

static void exit_status_and_output(void **state)
{
    (void)state;
    struct box box = run("echo out; echo err >&2; exit 3");
    assert_int_equal(box.end, BOX_EXITED);
    assert_int_equal(box.code, 3);
    assert_string_equal(box.output.data, "out\nerr\n");
    assert_true(box.wall_s > 0 && box.wall_s < 5);
    assert_true(box.peak > 0);
    box_free(&box);
}

static void death_by_signal(void **state)
{
    (void)state;
    struct box_spec spec = shell(NULL);
    spec.signals = 1;
    struct box box = run_as(spec, "kill -SEGV $$");
    assert_int_equal(box.end, BOX_SIGNALLED);
    assert_int_equal(box.code, SIGSEGV);
    box_free(&box);
}

static void missing_program_is_the_machines_fault(void **state)
{
    (void)state;
    const char *const argv[4] = {"/nonexistent/tool", NULL};
    struct box_spec spec = shell(argv);
    struct box box;
    struct text why = {0};
    assert_int_equal(box_start(&spec, &box, &why), -1);
    assert_string_equal(why.data, "cannot start '/nonexistent/tool': No such file or directory");
    box_free(&box);
    text_free(&why);
    spec.argv = (const char *const[]){"/bin/true", NULL};
    spec.directory = "/nonexistent";
    assert_int_equal(box_start(&spec, &box, &why), -1);
    assert_string_equal(why.data, "cannot enter '/nonexistent': No such file or directory");
    text_free(&why);
}

static void sleeper_is_killed(void **state)
{
    (void)state;
    struct box_spec spec = shell(NULL);
    spec.wall_s = 0.2;
    struct box box = run_as(spec, "trap '' TERM; echo started; sleep 30; echo never");
    assert_int_equal(box.end, BOX_TIMEOUT);
    assert_string_equal(box.output.data, "started\n");
    assert_true(box.wall_s >= 0.2 && box.wall_s < 3);
    box_free(&box);
}

static void flood_is_cut(void **state)
{
    (void)state;
    struct box box = run("exec yes");
    assert_int_equal(box.end, BOX_FLOODED);
    assert_int_equal(box.output.length, 1000);
    assert_true(box.wall_s < 4);
    box_free(&box);
}

static void output_to_the_limit_is_kept(void **state)
{
    (void)state;
    struct box box = run("head -c 1000 /usr/bin/head");
    assert_int_equal(box.end, BOX_EXITED);
    assert_int_equal(box.output.length, 1000);
    box_free(&box);
}

static void closed_output_is_no_end(void **state)
{
    (void)state;
    struct box box = run("exec >&- 2>&-; sleep 0.1; exit 4");
    assert_int_equal(box.end, BOX_EXITED);
    assert_int_equal(box.code, 4);
    assert_true(box.wall_s >= 0.1);
    assert_true(box.cpu_s < 1);
    box_free(&box);
}

// A pipe's read end sees its end only when no process holds the other: so we learn that all are dead.
static void assert_nobody_holds(int life[2])
{
    char byte;
    close(life[1]);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    assert_int_equal(read(life[0], &byte, 1), 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - start.tv_sec < 5);
    close(life[0]);
}

static void children_die_with_the_first(void **state)
{
    (void)state;
    int life[2];
    assert_int_equal(pipe2(life, O_CLOEXEC), 0);
    struct box_spec spec = shell(NULL);
    spec.fds = &life[1];
    spec.nfds = 1;
    struct box box = run_as(spec, "for i in 1 2 3; do setsid sleep 30 & sleep 30 & done; exit 0");
    assert_int_equal(box.end, BOX_EXITED);
    assert_nobody_holds(life);
    box_free(&box);
}

// Starts a shell script in a box, and waits for it as for a program that may sleep for 0.3 seconds.
static struct box run_awake(const char *script, struct box *partner)
{
    const char *const argv[4] = {"/bin/sh", "-c", script, NULL};
    struct box_spec spec = shell(argv);
    struct box box;
    struct text why = {0};
    spec.wall_s = 2;
    if (box_start(&spec, &box, &why)) fail_msg("%s", why.data);
    box_wait_awake(&box, partner, 0.3);
    return box;
}

// A program that stopped itself waits by its own will, also one that prints meanwhile: each line of output wakes the
// grader, 10 ms before the earliest look at the box.
static void only_who_sleeps_is_asleep(void **state)
{
    (void)state;
    struct box none = {.output_fd = -1};
    struct box box = run_awake("sleep 30", &none);
    assert_int_equal(box.end, BOX_ASLEEP);
    assert_true(box.asleep_s >= 0.3);
    assert_true(box.asleep_s < 2);
    box_free(&box);
    box = run_awake("while :; do :; done", &none);
    assert_int_equal(box.end, BOX_TIMEOUT);
    box_free(&box);
    box = run_awake("sleep 30 & kill -STOP $!; wait", &none);
    assert_int_equal(box.end, BOX_ASLEEP);
    box_free(&box);
    box = run_awake("while :; do echo; sleep 0.015; done", &none);
    assert_int_equal(box.end, BOX_ASLEEP);
    box_free(&box);
    box = run_awake("sleep 0.15; sleep 0.05", &none);
    assert_int_equal(box.end, BOX_EXITED);
    assert_int_equal(box.code, 0);
    box_free(&box);
}

// Two processes that wake each other in turn are often both found asleep, one after the other.
static void who_takes_turns_is_awake(void **state)
{
    (void)state;
    const char *const argv[4] = {
        "/bin/sh", "-c", "while read x <&3; do echo >&6; done & echo >&4; while read x <&5; do echo >&4; done", NULL};
    int to[2], back[2];
    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    assert_int_equal(pipe2(back, O_CLOEXEC), 0);
    int fds[] = {to[0], to[1], back[0], back[1]};
    struct box_spec spec = shell(argv);
    struct box none = {.output_fd = -1}, box;
    struct text why = {0};
    spec.fds = fds;
    spec.nfds = 4;
    spec.wall_s = 2;
    if (box_start(&spec, &box, &why)) fail_msg("%s", why.data);
    box_wait_awake(&box, &none, 1);
    assert_int_equal(box.end, BOX_TIMEOUT);
    assert_true(box.asleep_s < 0.2);
    box_free(&box);
    for (int i = 0; i < 4; i++) close(fds[i]);
}

static void a_sleeper_waits_for_its_partner(void **state)
{
    (void)state;
    const char *const argv[4] = {"/bin/sh", "-c", "while :; do :; done", NULL};
    struct box_spec spec = shell(argv);
    struct box partner;
    struct text why = {0};
    if (box_start(&spec, &partner, &why)) fail_msg("%s", why.data);
    struct box box = run_awake("sleep 1", &partner);
    assert_int_equal(box.end, BOX_EXITED);
    box_free(&partner);
    box_free(&box);
}

static void fork_bomb_is_over(void **state)
{
    (void)state;
    struct box_spec spec = shell(NULL);
    spec.wall_s = 0.3;
    spec.output = 0;
    int life[2];
    assert_int_equal(pipe2(life, O_CLOEXEC), 0);
    spec.fds = &life[1];
    spec.nfds = 1;
    struct box box = run_as(spec, "b() { sleep 0.01; b & b & }; b; sleep 30");
    assert_int_equal(box.end, BOX_TIMEOUT);
    assert_true(box.wall_s < 5);
    assert_nobody_holds(life);
    box_free(&box);
}

static void no_descriptor_is_inherited(void **state)
{
    (void)state;
    int secret = open("/etc/passwd", O_RDONLY); // not close-on-exec
    assert_true(secret >= 3);
    int high = fcntl(secret, F_DUPFD, 200);
    struct box box = run("ls /proc/self/fd 2>&1 | tr '\\n' ' '; for f in 3 4 5 6 7 8 9; do ( eval \"cat <&$f\" ) "
                         "2>/dev/null && echo leak $f; done; exit 0");
    assert_null(strstr(box.output.data, "leak"));
    assert_null(strstr(box.output.data, "root"));
    box_free(&box);
    close(secret);
    close(high);
}

static void given_descriptors_come_in_order(void **state)
{
    (void)state;
    int first[2], second[2];
    assert_int_equal(pipe(first), 0);
    assert_int_equal(pipe(second), 0);
    assert_int_equal(write(first[1], "one\n", 4), 4);
    close(first[1]);
    struct box_spec spec = shell(NULL);
    spec.fds = (const int[]){second[1], first[0]}; // numbers cross the places that they go to
    spec.nfds = 2;
    struct box box = run_as(spec, "read word <&4; echo \"got $word\" >&3; (: >&5) 2>/dev/null && echo leak; exit 0");
    char answer[16] = "";
    assert_int_equal(read(second[0], answer, sizeof answer - 1), 8);
    assert_string_equal(answer, "got one\n");
    assert_int_equal(box.output.length, 0);
    box_free(&box);
    close(first[0]);
    close(second[0]);
    close(second[1]);
}

static void environment_is_short(void **state)
{
    (void)state;
    setenv("SECRET_TOKEN", "s3cret", 1);
    struct box_spec spec = shell(NULL);
    spec.env = (const char *const[]){"EXTRA=1", NULL};
    struct box box = run_as(spec, "env | grep -v -e ^_= -e ^PWD= -e ^OLDPWD= -e ^SHLVL= | sort");
    char expected[4 * BOX_PATH];
    snprintf(expected, sizeof expected, "EXTRA=1\nHOME=%s\nLC_ALL=C\nPATH=/usr/bin:/bin\nTMPDIR=%s\n", directory,
             directory);
    assert_string_equal(box.output.data, expected);
    box_free(&box);
}

static void stdin_is_empty_and_directory_is_writable(void **state)
{
    (void)state;
    struct box box = run("read x; echo \"[$x]\"; pwd; echo hello > file && cat file; ulimit -c");
    char expected[2 * BOX_PATH];
    snprintf(expected, sizeof expected, "[]\n%s\nhello\n0\n", directory);
    assert_string_equal(box.output.data, expected);
    box_free(&box);
}

static void hidden_folders_are_closed(void **state)
{
    (void)state;
    if (box_level_here() < BOX_LANDLOCK) skip();
    box_hide("/usr/share");
    struct box box = run("cat /usr/share/common-licenses/* | head -n 1; test -x /usr/bin/env && echo done");
    box_hide("/");
    assert_null(strstr(box.output.data, "License"));
    assert_non_null(strstr(box.output.data, "done"));
    box_free(&box);
    box = run("cat /usr/share/common-licenses/* | grep -c License");
    assert_null(strstr(box.output.data, "No such file"));
    box_free(&box);
}

static void files_outside_are_closed(void **state)
{
    (void)state;
    if (box_level_here() < BOX_LANDLOCK) {
        print_message("skipped: this kernel has no Landlock\n");
        skip();
    }
    struct box box =
        run("cat /etc/passwd /dev/zero; ls /etc /tmp /root; echo x > /tmp/warpwise-escape; ln -s /etc/passwd p;"
            " cat p; echo done");
    assert_int_equal(box.level, box_level_here());
    assert_null(strstr(box.output.data, "root:"));
    assert_non_null(strstr(box.output.data, "done"));
    assert_int_equal(access("/tmp/warpwise-escape", F_OK), -1);
    box_free(&box);
}

static void a_named_folder_may_be_read_not_written(void **state)
{
    (void)state;
    char other[BOX_PATH], path[BOX_PATH + 8], script[3 * BOX_PATH];
    struct text why = {0};
    assert_int_equal(box_directory_make(other, &why), 0);
    snprintf(path, sizeof path, "%s/f", other);
    FILE *f = fopen(path, "w");
    fputs("content\n", f);
    fclose(f);
    struct box_spec spec = shell(NULL);
    spec.readable = (const char *const[]){other, NULL};
    snprintf(script, sizeof script, "cat %s/f; (echo x > %s/g) 2>/dev/null; exit 0", other, other);
    struct box box = run_as(spec, script);
    assert_string_equal(box.output.data, "content\n");
    box_free(&box);
    snprintf(path, sizeof path, "%s/g", other);
    if (box_level_here() >= BOX_LANDLOCK) assert_int_equal(access(path, F_OK), -1);
    box_directory_remove(other);
}

static void calls_are_filtered(void **state)
{
    (void)state;
    if (box_level_here() < BOX_FILTERED) {
        print_message("skipped: this kernel has no seccomp\n");
        skip();
    }
    struct box box =
        run("setsid true 2>&1 | grep -c -i 'not permitted'; unshare -U true 2>&1 | grep -c -i 'not permitted'; "
            "grep -e Seccomp: -e NoNewPrivs /proc/self/status; kill -9 -1; echo alive");
    if (box_level_here() >= BOX_LANDLOCK) // /proc is closed then
        assert_string_equal(strstr(box.output.data, "alive"), "alive\n");
    else
        assert_non_null(strstr(box.output.data, "Seccomp:\t2"));
    assert_memory_equal(box.output.data, "1\n1\n", 4);
    box_free(&box);
}

// A level is what the kernel has, also where WARPWISE_SANDBOX names a higher one. This program started with a word
// tells its level.
static void a_named_level_is_not_taken_at_its_word(void **state)
{
    (void)state;
    static const char *const names[] = {"seccomp", "landlock", "full"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        int status;
        pid_t child = fork();
        if (!child) {
            setenv("WARPWISE_SANDBOX", names[i], 1);
            if (!lose_call(SYS_seccomp)) execl("/proc/self/exe", "box_box_test", "level", NULL);
            _exit(127);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == 127) skip();
        assert_int_equal(WEXITSTATUS(status), BOX_LIMITS);
    }
}

// The words of WARPWISE_SANDBOX for the levels with a filter.
static const char *const filtered[] = {"seccomp", "landlock", "full"};

static void remember_level(char before[16])
{
    const char *set = getenv("WARPWISE_SANDBOX");
    snprintf(before, 16, "%s", set ? set : "");
}

static void restore_level(const char *before)
{
    if (*before)
        setenv("WARPWISE_SANDBOX", before, 1);
    else
        unsetenv("WARPWISE_SANDBOX");
}

// Each command names a process by its number, here its own shell. No number but 0, the caller, may be named, so that at
// no level a program changes the priority, processors or limits of the judge or of other boxes.
static void neighbours_stay_as_they_are(void **state)
{
    (void)state;
    char before[16];
    remember_level(before);
    for (size_t i = 0; i < sizeof filtered / sizeof *filtered; ++i) {
        setenv("WARPWISE_SANDBOX", filtered[i], 1);
        if (box_level_here() < BOX_FILTERED) continue; // the commands would reach every process of the tester's
        struct box box = run("exec 2>/dev/null; renice -n 19 -p $$ >&2 && echo priority; "
                             "renice -n 19 -u $(id -u) >&2 && echo user; renice -n 19 -g 0 >&2 && echo group; "
                             "taskset -p 1 $$ >&2 && echo processors; "
                             "chrt -b -p 0 $$ && echo scheduler; ionice -c 3 -p $$ && echo disk; "
                             "prlimit -p $$ -n20 && echo limits; nice -n 1 true && ionice -c 3 true && echo own");
        assert_string_equal(box.output.data, "own\n");
        box_free(&box);
    }
    restore_level(before);
}

// What /proc tells of other processes is closed, where a user could change their memory, priority and chance to survive
// a lack of memory. Process 1 of the namespace is bubblewrap, if the program may end by a signal.
static void proc_holds_the_program_alone(void **state)
{
    (void)state;
    char before[16];
    remember_level(before);
    for (size_t i = 0; i < sizeof filtered / sizeof *filtered; ++i) {
        setenv("WARPWISE_SANDBOX", filtered[i], 1);
        struct box_spec spec = shell(NULL);
        spec.own_proc = spec.signals = 1;
        struct box box = run_as(spec, "exec 2>/dev/null; for p in $PPID 1; do cat /proc/$p/stat; cat /proc/$p/cmdline; "
                                      "true 3<>/proc/$p/mem && echo memory; echo 9 >/proc/$p/autogroup && echo slower; "
                                      "echo 9 >/proc/$p/oom_score_adj && echo dies; done; "
                                      "read number rest </proc/self/stat; [ $number = $$ ] && echo own");
        if (box.level >= BOX_LANDLOCK) assert_string_equal(box.output.data, "own\n");
        box_free(&box);
    }
    restore_level(before);
}

// The driver of a card names its threads so, and gives up where it may not.
static void a_program_names_its_threads(void **state)
{
    (void)state;
    char before[16];
    remember_level(before);
    for (size_t i = 0; i < sizeof filtered / sizeof *filtered; ++i) {
        setenv("WARPWISE_SANDBOX", filtered[i], 1);
        struct box_spec spec = shell(NULL);
        spec.own_proc = spec.signals = 1;
        struct box box =
            run_as(spec, "echo named >/proc/self/task/$$/comm && read name </proc/self/comm && echo $name");
        assert_string_equal(box.output.data, "named\n");
        box_free(&box);
    }
    restore_level(before);
}

static void single_has_no_children(void **state)
{
    (void)state;
    if (box_level_here() < BOX_FILTERED) skip();
    struct box_spec spec = shell(NULL);
    spec.single = 1;
    struct box box = run_as(spec, "echo builtin; /bin/true || echo refused; echo after");
    assert_non_null(strstr(box.output.data, "builtin"));
    assert_null(strstr(box.output.data, "refused"));
    assert_null(strstr(box.output.data, "after")); // the shell gives up when it cannot fork
    box_free(&box);
}

static int is_full(void)
{
    if (box_level_here() == BOX_FULL) return 1;
    print_message("skipped: %s\n", box_level_why());
    return 0;
}

// What cannot be named cannot be attacked.
static void nothing_else_is_there(void **state)
{
    (void)state;
    if (!is_full()) skip();
    struct box_spec spec = shell(NULL);
    spec.own_proc = 1;
    struct box box =
        run_as(spec, "ls / /dev /etc 2>&1 | tr '\\n' ' '; echo; ls -d /proc/[0-9]* | wc -l; id -u; hostname;"
                     "cat /proc/net/dev | tail -n +3 | cut -d: -f1; ls /proc/self/fd | wc -l;"
                     "grep -e CapEff -e Seccomp: -e NoNewPrivs /proc/self/status;"
                     "(echo x >/file) 2>&1 | grep -c -i read-only");
    const char *at = strstr(box.output.data, "/:");
    char expected[2 * BOX_PATH];
    snprintf(expected, sizeof expected,
             "/dev: null  /etc: alternatives ld.so.cache "); // what a compiler needs of them, and no more
    assert_non_null(strstr(at, expected));
    assert_null(strstr(at, "home"));
    assert_null(strstr(at, "root"));
    // ls, wc and their shell; nobody; no network but the loopback; stdin, stdout, stderr and the folder that ls reads
    if (!strstr(at, "\n3\n65534\nwarpwise\n    lo\n4\n")) fail_msg("%s", at);
    assert_non_null(strstr(at, "CapEff:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n1\n"));
    box_free(&box);
}

// The number of files in shared memory is bounded, as each takes memory of the kernel that no other limit counts.
static void files_in_shared_memory_are_counted(void **state)
{
    (void)state;
    if (!is_full()) skip();
    struct box_spec spec = shell(NULL);
    spec.shared_memory = spec.signals = 1;
    struct box box = run_as(spec, "i=0; while [ $i -lt 900 ]; do : >/dev/shm/$i; i=$((i + 1)); done; sleep 0.2");
    assert_int_equal(box.end, BOX_EXITED);
    assert_int_equal(box.code, 0);
    box_free(&box);
    box = run_as(spec, "i=0; while [ $i -lt 1100 ]; do : >/dev/shm/$i; i=$((i + 1)); done; sleep 4");
    assert_int_equal(box.end, BOX_CROWDED);
    assert_true(box.wall_s < 4);
    box_free(&box);
}

static void scratch_is_bounded_and_vanishes(void **state)
{
    (void)state;
    if (!is_full()) skip();
    char kept[BOX_PATH + 8], other[BOX_PATH + 8];
    snprintf(kept, sizeof kept, "%s/kept", directory);
    snprintf(other, sizeof other, "%s/other", directory);
    fclose(fopen(kept, "w"));
    assert_int_equal(chmod(kept, 0666), 0);
    struct box_spec spec = shell(NULL);
    spec.scratch = 1 << 20;
    spec.writable = (const char *const[]){kept, NULL};
    struct box box = run_as(spec, "head -c 5000000 /usr/bin/* >other 2>/dev/null; wc -c <other; echo result >kept");
    assert_true(atoi(box.output.data) <= 1 << 20);
    assert_int_equal(access(other, F_OK), -1);
    char line[16] = "";
    FILE *f = fopen(kept, "r");
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    assert_string_equal(line, "result\n");
    box_free(&box);
}

// Signals, limits and files are another user's where the grader is root.
static void roots_box_is_somebody_else(void **state)
{
    (void)state;
    if (GCOV_BUILD || geteuid() || box_level_here() == BOX_LIMITS) skip();
    char file[BOX_PATH + 8];
    struct stat status;
    snprintf(file, sizeof file, "%s/file", directory);
    gid_t staff = 50;
    assert_int_equal(setgroups(1, &staff), 0); // the caller's groups are not the box's
    struct box box =
        run("touch file; kill -0 1 && echo may signal; id -G | tr ' ' '\\n' | grep -qx 50 && echo may read");
    assert_int_equal(setgroups(0, NULL), 0);
    assert_true(!box.output.length || !strstr(box.output.data, "may read"));
    assert_true(box_level_here() == BOX_FULL || !box.output.length || !strstr(box.output.data, "may signal"));
    assert_int_equal(stat(file, &status), 0);
    assert_true(status.st_uid >= 61184 && status.st_uid < 65520);
    box_free(&box);
}

static void limits_hold(void **state)
{
    (void)state;
    struct box_spec spec = shell(NULL);
    spec.file_size = 1 << 20;
    struct box box = run_as(spec, "head -c 5000000 /usr/bin/* > big 2>/dev/null; wc -c < big");
    assert_int_equal(atoi(box.output.data), 1 << 20);
    box_free(&box);
    spec = shell(NULL);
    spec.cpu_s = 1;
    spec.wall_s = 60; // however busy the machine is
    box = run_as(spec, "while :; do :; done");
    assert_int_equal(box.end, BOX_SIGNALLED);
    assert_true(box.cpu_s > 0.8 && box.cpu_s < 4);
    box_free(&box);
    spec.signals = 1;
    box = run_as(spec, "while :; do :; done");
    assert_int_equal(box.end, BOX_SIGNALLED);
    assert_int_equal(box.code, SIGXCPU);
    box_free(&box);
    box = run_as(spec, "trap : XCPU; while :; do :; done");
    assert_int_equal(box.end, BOX_SIGNALLED);
    assert_int_equal(box.code, SIGKILL);
    box_free(&box);
    spec = shell(NULL);
    spec.address_space = 256 << 20;
    box = run_as(spec, "x=$(head -c 200000000 /usr/bin/* /usr/lib/*/* 2>/dev/null | tr '\\0' a); echo survived");
    assert_true(box.output.length == 0 || !strstr(box.output.data, "survived") || box.end != BOX_EXITED);
    box_free(&box);
}

static void open_box_reaches_limits_only(void **state)
{
    (void)state;
    struct box_spec spec = shell(NULL);
    spec.open = 1;
    struct box box = run_as(spec, "head -c 4 /etc/passwd");
    assert_int_equal(box.level, BOX_LIMITS);
    assert_int_equal(box.output.length, 4);
    box_free(&box);
    const char *level = getenv("WARPWISE_SANDBOX");
    char before[16];
    level = level ? strcpy(before, level) : NULL;
    setenv("WARPWISE_SANDBOX", "none", 1);
    box = run("true");
    setenv("WARPWISE_SANDBOX", level ? level : "", 1);
    assert_int_equal(box.level, BOX_LIMITS);
    box_free(&box);
}

static void side_by_side(void **state)
{
    (void)state;
    struct box box[2];
    struct text why = {0};
    struct box_spec spec = shell((const char *const[]){"/bin/sh", "-c", "sleep 1; echo a", NULL});
    assert_int_equal(box_start(&spec, &box[0], &why), 0);
    spec.argv = (const char *const[]){"/bin/sh", "-c", "sleep 1; echo b; exit 1", NULL};
    assert_int_equal(box_start(&spec, &box[1], &why), 0);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    box_wait((struct box *const[]){&box[0], &box[1]}, 2);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9 < 1.9);
    assert_string_equal(box[0].output.data, "a\n");
    assert_string_equal(box[1].output.data, "b\n");
    assert_int_equal(box[1].code, 1);
    box_free(&box[0]);
    box_free(&box[1]);
}

static void long_lived_until_killed(void **state)
{
    (void)state;
    int ask[2], reply[2];
    assert_int_equal(pipe2(ask, O_CLOEXEC), 0);
    assert_int_equal(pipe2(reply, O_CLOEXEC), 0);
    struct box_spec spec = shell((const char *const[]){
        "/bin/sh", "-c", "echo up; while read line <&3; do echo \"<$line>\" >&4; done; sleep 30", NULL});
    spec.fds = (const int[]){ask[0], reply[1]};
    spec.nfds = 2;
    spec.wall_s = 0;
    struct box box;
    struct text why = {0};
    assert_int_equal(box_start(&spec, &box, &why), 0);
    close(ask[0]);
    close(reply[1]);
    for (int i = 0; i < 3; ++i) {
        char answer[16] = "";
        assert_int_equal(write(ask[1], "hi\n", 3), 3);
        assert_int_equal(read(reply[0], answer, sizeof answer), 5);
        assert_string_equal(answer, "<hi>\n");
        assert_int_equal(box_poll(&box), 1);
    }
    pid_t pid = box.pid;
    box_kill(&box);
    assert_int_equal(box.end, BOX_SIGNALLED);
    assert_int_equal(box.code, SIGKILL);
    assert_string_equal(box.output.data, "up\n");
    assert_int_equal(kill(pid, 0), -1);
    char byte;
    assert_int_equal(read(reply[0], &byte, 1), 0); // nobody holds the other end any more
    box_free(&box);
    close(ask[1]);
    close(reply[0]);
}

static void dies_with_its_starter(void **state)
{
    (void)state;
    int life[2];
    assert_int_equal(pipe2(life, O_CLOEXEC), 0);
    pid_t starter = fork();
    if (!starter) {
        struct box_spec spec = shell((const char *const[]){"/bin/sh", "-c", "echo up >&4; exec sleep 30", NULL});
        int up[2];
        char word[4];
        if (pipe2(up, O_CLOEXEC)) _exit(1);
        spec.fds = (const int[]){life[1], up[1]};
        spec.nfds = 2;
        struct box box;
        struct text why = {0};
        _exit(box_start(&spec, &box, &why) || read(up[0], word, 3) != 3 ? 1 : 0); // without killing it
    }
    assert_nobody_holds(life);
    assert_int_equal(waitpid(starter, NULL, 0), starter);
}

// The control group that a process is in; "" if none of ours.
static void group_of(pid_t process, char path[PATH])
{
    char name[64], line[PATH] = "";
    snprintf(name, sizeof name, "/proc/%d/cgroup", (int)process);
    FILE *file = fopen(name, "r");
    path[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "0::/", 4) && strstr(line, "/warpwise-"))
            snprintf(path, PATH, "/sys/fs/cgroup%.400s", line + 3);
    }
    if (file) fclose(file);
}

// Memory and processes of all that a box starts are counted together, and nothing of its group is left.
static void a_control_group_holds_all(void **state)
{
    (void)state;
    if (!box_group_here()) skip();
    struct box_spec spec = shell((const char *const[]){"/bin/sleep", "30", NULL});
    struct box box;
    struct text why = {0};
    char path[PATH], file[PATH + 16], line[64] = "";
    assert_int_equal(box_start(&spec, &box, &why), 0);
    group_of(box.pid, path);
    assert_true(path[0]);
    snprintf(file, sizeof file, "%s/pids.max", path);
    FILE *limit = fopen(file, "r");
    assert_non_null(limit);
    assert_non_null(fgets(line, sizeof line, limit));
    fclose(limit);
    assert_true(atoi(line) >= 256);
    box_free(&box);
    assert_int_equal(access(path, F_OK), -1);

    // Each holds what it read while others read.
    static const char six[] = "for i in 1 2 3 4 5 6; do "
                              "{ yes | head -c 60000000; sleep 3; } | tail -c 60000000 >/dev/null & done; wait";
    spec.address_space = 100 << 20;
    spec.wall_s = 60;
    spec.cpu_s = 60;
    box = run_as(spec, "yes | head -c 60000000 | tail -c 60000000 >/dev/null && echo fits");
    assert_string_equal(box.output.data, "fits\n");
    box_free(&box);
    box = run_as(spec, six);
    assert_int_equal(box.end, BOX_SIGNALLED);
    assert_int_equal(box.code, SIGKILL);
    box_free(&box);
}

static void levels_have_names(void **state)
{
    (void)state;
    assert_string_equal(box_level_name(BOX_LIMITS), "resource limits only");
    const char *group = box_group_here() ? ", in a control group" : "";
    char name[100];
    snprintf(name, sizeof name, "resource limits and seccomp%s", group);
    assert_string_equal(box_level_name(BOX_FILTERED), name);
    snprintf(name, sizeof name, "resource limits, seccomp and Landlock%s", group);
    assert_string_equal(box_level_name(BOX_LANDLOCK), name);
    snprintf(name, sizeof name, "namespaces, resource limits and seccomp%s", group);
    assert_string_equal(box_level_name(BOX_FULL), name);
}

// A caller may have closed his standard descriptors, or ignore the death of his children.
static void odd_callers(void **state)
{
    (void)state;
    pid_t caller = fork();
    if (!caller) {
        close(0);
        close(1);
        signal(SIGCHLD, SIG_IGN);
        struct box box = run("echo fine; exit 5");
        int fine = box.end == BOX_EXITED && box.code == 5 && !strcmp(box.output.data, "fine\n");
        box_free(&box);
        _exit(fine ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(caller, &status, 0), caller);
    assert_int_equal(status, 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) return (int)box_level_here();
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(exit_status_and_output),
        CASE(death_by_signal),
        CASE(missing_program_is_the_machines_fault),
        CASE(sleeper_is_killed),
        CASE(only_who_sleeps_is_asleep),
        CASE(who_takes_turns_is_awake),
        CASE(a_sleeper_waits_for_its_partner),
        CASE(flood_is_cut),
        CASE(output_to_the_limit_is_kept),
        CASE(closed_output_is_no_end),
        CASE(children_die_with_the_first),
        CASE(fork_bomb_is_over),
        CASE(no_descriptor_is_inherited),
        CASE(given_descriptors_come_in_order),
        CASE(environment_is_short),
        CASE(stdin_is_empty_and_directory_is_writable),
        CASE(hidden_folders_are_closed),
        CASE(files_outside_are_closed),
        CASE(a_named_folder_may_be_read_not_written),
        CASE(calls_are_filtered),
        CASE(neighbours_stay_as_they_are),
        CASE(proc_holds_the_program_alone),
        CASE(a_program_names_its_threads),
        CASE(single_has_no_children),
        CASE(nothing_else_is_there),
        CASE(files_in_shared_memory_are_counted),
        CASE(scratch_is_bounded_and_vanishes),
        CASE(roots_box_is_somebody_else),
        CASE(limits_hold),
        CASE(open_box_reaches_limits_only),
        CASE(side_by_side),
        CASE(long_lived_until_killed),
        CASE(dies_with_its_starter),
        CASE(levels_have_names),
        CASE(a_named_level_is_not_taken_at_its_word),
        CASE(a_control_group_holds_all),
        CASE(odd_callers),
    };
    // At each level that there is here: what holds at one holds at those above.
    static const char *const level[] = {"full", "landlock", "seccomp"};
    int failed = 0;
    for (unsigned i = 0; i < sizeof level / sizeof *level; ++i) {
        setenv("WARPWISE_SANDBOX", level[i], 1);
        if (i && box_level_here() + i != BOX_FULL) continue; // less than that is here, and was tested
        failed += cmocka_run_group_tests_name(level[i], tests, NULL, NULL);
    }
    return failed;
}
