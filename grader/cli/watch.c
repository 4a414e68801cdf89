// Implements ./grade watch, which grades each time the student saves the lab's file or a header in the same folder.
//
// The process of ./grade watch loops around poll() and waits for changes in a folder, for keys and for signals.
//   - Changes in the student's folder (inotify). Editors write a file in place or replace the file. The process
//     therefore watches the folder for files that are closed after writing and for files that are moved into the
//     folder.
//   - Keys. The terminal delivers each key at once and does not echo the key. Ctrl-C still sends a signal.
//   - Signals, which arrive through a file descriptor (signalfd), so that no signal interrupts the loop. A signal means
//     that the child has ended, or that this process must end, stop or continue.
//
// Each command that ./grade watch starts, including grading, runs in a child process, which is this program with other
// arguments. The child process that runs a command writes to the terminal itself. If the student saves the file during
// grading, the parent process kills the child and starts a new child with the newest file.
//
// atexit() restores the terminal's mode at the end, and pause_here() restores the mode before a stop. A crash of a
// child process does not affect the process of ./grade watch. Only a SIGKILL of the process of ./grade watch leaves the
// terminal's mode changed.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/bundle.h"
#include "base/die.h"
#include "base/message.h"
#include "cli/cli.h"

enum { SETTLE_MS = 30, WORDS = 64 };

struct watch {
    struct cli_paths paths;
    const struct lab *lab;
    int folder, signals; // file descriptors: inotify of the student's folder, and signalfd
    int keys;            // 1: standard input is a terminal that delivers single keys
    sigset_t before;     // signals that were blocked at the start
    pid_t child;         // process number of the child; 0: no child is running
    int asked;           // key whose question waits for the user's answer; 0: no question
};

// ------------------------------------------------------------------------------------------------------------ terminal
static struct termios terminal;
static int changed; // 1: the terminal's mode was changed

static void give_back(void)
{
    if (changed) tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
    changed = 0;
}

static void take_keys(void)
{
    struct termios ours = terminal;
    ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    ours.c_cc[VMIN] = 1;
    ours.c_cc[VTIME] = 0;
    changed = !tcsetattr(STDIN_FILENO, TCSANOW, &ours);
}

static void say_keys(const struct watch *w)
{
    printf(_("\nwatching '%s/%s.cu'"), cli_paths_shown(w->paths.student), w->lab->slug);
    puts("");
    if (w->keys) puts(_("h hint · s step · e explain · l list · g grade · n next lab · r reset · q quit"));
    fflush(stdout);
}

// ------------------------------------------------------------------------------------------------------------ children
static void end_child(struct watch *w)
{
    if (!w->child) return;
    kill(w->child, SIGTERM);
    while (waitpid(w->child, NULL, 0) < 0 && errno == EINTR) continue;
    w->child = 0;
    if (isatty(STDOUT_FILENO)) fputs("\r\033[K", stdout); // erases the line with the progress display
}

// Starts the child process "grade COMMAND LAB" with those options of ./grade watch that the command takes. If `command`
// is NULL, the child process grades the lab. The child process gets the lab's name as an argument only if `with_lab`
// is 1.
static void start(struct watch *w, const char *command, int with_lab)
{
    char *argv[WORDS + 4];
    int n = 0;
    end_child(w);
    argv[n++] = "grade";
    n += cli_options_words(cli_command_find(command ? command : "grade"), argv + n, WORDS);
    if (command) argv[n++] = (char *)command;
    if (with_lab) argv[n++] = (char *)w->lab->name;
    argv[n] = NULL;
    fflush(stdout);
    w->child = fork();
    if (w->child < 0) die("cannot start a process: %s", strerror(errno));
    if (w->child) return;
    sigprocmask(SIG_SETMASK, &w->before, NULL);
    execv("/proc/self/exe", argv);
    _exit(EXIT_NOT_GRADED);
}

static void grade(struct watch *w)
{
    if (isatty(STDOUT_FILENO)) fputs("\033[H\033[2J\033[3J", stdout);
    printf(_("grading '%s/%s.cu' ...\n"), cli_paths_shown(w->paths.student), w->lab->slug);
    start(w, NULL, 1);
}

static void child_ended(struct watch *w)
{
    int status;
    if (!w->child || waitpid(w->child, &status, WNOHANG) != w->child) return;
    w->child = 0;
    say_keys(w);
}

// --------------------------------------------------------------------------------------------------- choice of the lab
// Returns the lab whose file was saved last. Dies if the student's folder contains no file of a lab.
static const struct lab *choose(const struct cli_paths *p)
{
    const struct lab *latest = NULL;
    struct timespec when = {0, 0};
    for (int i = 0; lab_all[i]; ++i) {
        char path[2 * CLI_PATH];
        struct stat s;
        snprintf(path, sizeof path, "%s/%s.cu", p->student, lab_all[i]->slug);
        if (stat(path, &s)) continue;
        int later =
            s.st_mtim.tv_sec > when.tv_sec || (s.st_mtim.tv_sec == when.tv_sec && s.st_mtim.tv_nsec > when.tv_nsec);
        if (!latest || later) latest = lab_all[i], when = s.st_mtim;
    }
    if (!latest)
        die("there is nothing to watch in '%s': 'make lab0' makes the first lab's file", cli_paths_shown(p->student));
    return latest;
}

static void next_lab(struct watch *w)
{
    int at = 0;
    while (lab_all[at] != w->lab) ++at;
    w->lab = lab_all[at + 1] ? lab_all[at + 1] : lab_all[0];
    grade(w);
}

// -------------------------------------------------------------------------------------------------------------- events
// Reads the pending inotify events. Returns 1 if an event says that the watched lab's file was saved.
static int is_saved(struct watch *w)
{
    char events[16384] __attribute__((aligned(8))), name[CLI_PATH];
    int saved = 0;
    snprintf(name, sizeof name, "%s.cu", w->lab->slug);
    for (ssize_t got; (got = read(w->folder, events, sizeof events)) > 0;) {
        const struct inotify_event *e;
        for (char *at = events; at < events + got; at += sizeof *e + e->len) {
            e = (const struct inotify_event *)(void *)at;
            if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) die("the folder '%s' is gone", w->paths.student);
            saved |= e->len && (!strcmp(e->name, name) || bundle_is_header(e->name));
        }
    }
    return saved;
}

// Grades the watched lab if the lab's file was saved. Editors write a file twice or rename the file, so changes within
// SETTLE_MS milliseconds count as one save.
static void folder_changed(struct watch *w)
{
    struct pollfd more = {.fd = w->folder, .events = POLLIN};
    int saved = is_saved(w);
    while (saved && poll(&more, 1, SETTLE_MS) > 0) saved |= is_saved(w);
    if (saved) grade(w);
}

// Reads one key from the terminal and handles the key. Returns 1 if the key ends ./grade watch.
static int key_pressed(struct watch *w)
{
    char key = 'q'; // the default, used at the end of input or if read() fails because the terminal is gone
    if (read(STDIN_FILENO, &key, 1) < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (w->asked == 'r') {
        w->asked = 0;
        puts(key == 'y' ? _("yes") : _("no"));
        if (key == 'y') start(w, "reset", 1);
        return 0;
    }
    switch (key) {
    case 'h':
        start(w, "hint", 1);
        break;
    case 'e':
        start(w, "explain", 1);
        break;
    case 's':
        start(w, "step", 1);
        break;
    case 'l':
        start(w, "list", 0);
        break;
    case 'g':
    case '\n':
        grade(w);
        break;
    case 'n':
        next_lab(w);
        break;
    case 'r':
        printf(_("begin %s anew? yours is kept beside it (y/n) "), w->lab->name);
        fflush(stdout);
        w->asked = 'r';
        break;
    case 'q':
        return 1;
    default:
        break;
    }
    return 0;
}

static void pause_here(struct watch *w)
{
    give_back();
    raise(SIGSTOP);
    if (w->keys) take_keys();
    say_keys(w);
}

// Reads one signal from the signalfd and handles the signal. Returns 1 if the signal ends ./grade watch.
static int signal_came(struct watch *w)
{
    struct signalfd_siginfo s;
    if (read(w->signals, &s, sizeof s) != sizeof s) return 0;
    if (s.ssi_signo == SIGCHLD)
        child_ended(w);
    else if (s.ssi_signo == SIGTSTP)
        pause_here(w);
    else
        return 1;
    return 0;
}

// ---------------------------------------------------------------------------------------------------------- main loop
static void listen_to(struct watch *w)
{
    static const int heard[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof heard / sizeof *heard; ++i) sigaddset(&set, heard[i]);
    sigprocmask(SIG_BLOCK, &set, &w->before);
    w->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    w->folder = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (w->signals < 0 || w->folder < 0) die("cannot watch: %s", strerror(errno));
    if (inotify_add_watch(w->folder, w->paths.student, IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF) <
        0)
        die("cannot watch '%s': %s: 'make %s' makes it", cli_paths_shown(w->paths.student), strerror(errno),
            w->lab->name);
    w->keys = !tcgetattr(STDIN_FILENO, &terminal);
    if (!w->keys) return;
    atexit(give_back);
    take_keys();
}

int cli_watch(const struct cli_options *options, int argc, char **argv)
{
    static struct watch w;
    (void)options; // cli_options_words() has them
    if (argc > 1) die("'%s' is one word too many: ./grade watch [LAB]", argv[1]);
    cli_paths_find(&w.paths);
    w.lab = argc ? cli_lab(argv[0]) : choose(&w.paths);
    listen_to(&w);
    grade(&w);
    for (int over = 0; !over;) {
        struct pollfd wait[3] = {{.fd = w.signals, .events = POLLIN},
                                 {.fd = w.folder, .events = POLLIN},
                                 {.fd = w.keys ? STDIN_FILENO : -1, .events = POLLIN}};
        if (poll(wait, 3, -1) < 0 && errno != EINTR) die("cannot wait: %s", strerror(errno));
        if (wait[0].revents) over = signal_came(&w);
        if (wait[1].revents && !over) folder_changed(&w);
        if (wait[2].revents && !over) over = key_pressed(&w);
    }
    end_child(&w);
    return 0;
}
