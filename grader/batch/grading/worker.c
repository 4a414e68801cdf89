// Starts worker processes and reads their results. A worker process is a fork of this program. A worker calls the judge
// as a library and writes the result to a memory file. A worker's memory file contains a header with lengths, the
// report in three formats (JSON, text, HTML), the PTX image, and a message. The parent process reads a worker's memory
// file only if the worker exits with 0, so the parent never reads an incomplete result. If a worker ends by die(),
// BUG() or a crash, the submission counts as "not graded", with the last line that the worker printed.
//
// A worker ends with its parent, however the parent ends. The kernel sends SIGTERM to the worker when its parent has
// ended (PR_SET_PDEATHSIG), and the terminal sends SIGINT or SIGHUP to both. A thread of the worker waits for these
// signals and calls exit(), whose handlers kill all processes of the worker's sandboxes and remove its temporary
// directories (box/cleanup.h). SIGKILL would leave the compiler's own children where there are no process namespaces.
#define _GNU_SOURCE
#include "batch/grading/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "base/gcov.h"
#include "base/message.h"
#include "base/text.h"
#include "batch/book/rubric.h"
#include "report/explain.h"
#include "report/page/html.h"
#include "report/report.h"

enum { PARTS = 5, MESSAGE_MOST = 4096, CLEANUP_S = 10 };
static const double LIMIT_S = 1800; // the judge's own time limits end a submission long before LIMIT_S seconds

// Describes the header of a worker's result file. In a worker's result file, the PARTS texts of the result follow the
// header.
struct head {
    char magic[8];
    int64_t graded;
    double seconds;
    uint64_t length[PARTS];
};
static const char magic[8] = "wwpart1";

static int write_all(int fd, const void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        ssize_t n = write(fd, (const char *)data + at, bytes - at);
        if (n < 0 && errno != EINTR) return -1;
        if (n > 0) at += (size_t)n;
    }
    return 0;
}

int worker_result_write(int fd, const struct worker_result *r)
{
    const struct text *const part[PARTS] = {&r->report, &r->text, &r->html, &r->ptx, &r->message};
    struct head head = {.graded = r->graded, .seconds = r->seconds};
    memcpy(head.magic, magic, sizeof magic);
    for (int i = 0; i < PARTS; ++i) head.length[i] = part[i]->length;
    if (write_all(fd, &head, sizeof head)) return -1;
    for (int i = 0; i < PARTS; ++i)
        if (write_all(fd, part[i]->data, part[i]->length)) return -1;
    return 0;
}

// Appends the PTX image without the text that differs between two compilations of the same source. The compiler nvcc
// gives each compilation its own number, which occurs in the names of static functions and, as bytes, in the debugging
// sections.
static void add_image(struct text *out, const struct text *image)
{
    static const char mark[] = "_INTERNAL_", section[] = "\t.section\t.debug";
    enum { IDENTITY = 8 };
    int skipping = 0;
    for (const char *line = image->data ? image->data : "", *end; *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        if (!strncmp(line, section, sizeof section - 1)) skipping = 1;
        size_t from = out->length;
        if (!skipping) text_add(out, line, (size_t)(end - line));
        for (char *at = skipping ? NULL : out->data + from; at && (at = strstr(at, mark)) != NULL;) {
            at += sizeof mark - 1;
            for (int i = 0; i < IDENTITY && at[i] && at[i] != '_'; ++i) at[i] = '0';
        }
        if (*line == '}' || !strncmp(line, "\t}", 2)) skipping = 0;
    }
}

// Appends the report as an HTML page. The HTML page shows the costs of source lines only if grading ran the test case
// that measures speed. add_page() itself runs no test case.
static void add_page(struct text *out, const struct verdict *v)
{
    struct explain explain;
    struct report_page page = {.explain = v->profile.nkernels ? &explain : NULL};
    if (page.explain) explain_make(&explain, &v->profile, v->job->source, v->job->bytes);
    report_html(v, &page, out);
    if (page.explain) explain_free(&explain);
}

// Checks that rubric_score() computes the points of the verdict `v` from the report. Marks are computed from stored
// reports alone, so that a later rubric can change the marks without a new run.
static void check_report(const struct verdict *v, const char *report)
{
    struct rubric_file kit;
    struct rubric_score score;
    struct text why = {0};
    rubric_parse(&kit, "", 0, &why);
    rubric_score(&kit, v->job->lab->name, report, NULL, &score);
    if (memcmp(score.points, v->score, sizeof score.points) || score.total != v->total || score.passed != v->passed)
        BUG("the report gives %d points, the verdict %d", score.total, v->total);
    text_free(&score.reasons);
    rubric_free(&kit);
}

static void write_result(int fd, const struct verdict *v)
{
    struct worker_result r = {.graded = 1};
    struct report_options plain = {.utf8 = 1};
    report_json(v, &r.report);
    check_report(v, r.report.data);
    report_terminal(v, &plain, &r.text);
    add_page(&r.html, v);
    add_image(&r.ptx, &v->image);
    if (worker_result_write(fd, &r)) die("cannot hand over a result: %s", strerror(errno));
}

// Blocks the signals that end a worker, so that the thread attend() receives them.
static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, set, NULL);
}

static void *attend(void *data)
{
    int received;
    while (sigwait(data, &received)) continue;
    signal(SIGALRM, SIG_DFL);
    alarm(CLEANUP_S); // if a thread holds what the cleanup needs
    exit(EXIT_NOT_GRADED);
}

static _Noreturn void work(const struct worker *w, const struct judge_job *job, pid_t parent)
{
    static struct verdict verdict;
    static sigset_t ends;
    pthread_t thread;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    block_signals(&ends);
    if (pthread_create(&thread, NULL, attend, &ends)) _exit(EXIT_NOT_GRADED);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(EXIT_NOT_GRADED);
    signal(SIGXFSZ, SIG_DFL); // restores the default action, because the compiler and the runner have file size limits
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
        dup2(w->message, STDERR_FILENO) < 0)
        _exit(EXIT_NOT_GRADED);
    judge_grade(job, &verdict);
    write_result(w->result, &verdict);
    if (GCOV_BUILD) __gcov_dump();
    _exit(0);
}

void worker_start(struct worker *w, const struct judge_job *job)
{
    pid_t parent = getpid();
    w->result = memfd_create("result", MFD_CLOEXEC);
    w->message = memfd_create("message", MFD_CLOEXEC);
    if (w->result < 0 || w->message < 0) die("cannot make a memory file: %s", strerror(errno));
    fflush(NULL); // without fflush(), the worker would print buffered output a second time
    w->start_s = clock_s();
    w->pid = fork();
    if (w->pid < 0) die("cannot start a worker: %s", strerror(errno));
    if (!w->pid) work(w, job, parent);
}

// ----------------------------------------------------------------------------------------------------- end of a worker
static int read_part(int fd, off_t at, uint64_t bytes, struct text *t)
{
    char buffer[1 << 16];
    while (bytes) {
        ssize_t n = pread(fd, buffer, bytes < sizeof buffer ? bytes : sizeof buffer, at);
        if (n <= 0) return -1;
        text_add(t, buffer, (size_t)n);
        at += n;
        bytes -= (uint64_t)n;
    }
    if (!t->data) text_puts(t, "");
    return 0;
}

int worker_result_read(int fd, size_t trailer, struct worker_result *r)
{
    struct head head;
    struct stat file;
    *r = (struct worker_result){.graded = 0};
    struct text *const part[PARTS] = {&r->report, &r->text, &r->html, &r->ptx, &r->message};
    off_t at = sizeof head;
    int broken = fstat(fd, &file) || pread(fd, &head, sizeof head, 0) != sizeof head ||
                 memcmp(head.magic, magic, sizeof magic) != 0;
    for (int i = 0; i < PARTS && !broken; at += (off_t)head.length[i++])
        broken = head.length[i] > (uint64_t)file.st_size || read_part(fd, at, head.length[i], part[i]);
    if (broken || at + (off_t)trailer != file.st_size) {
        worker_result_free(r);
        return -1;
    }
    r->graded = head.graded != 0;
    r->seconds = head.seconds;
    return 0;
}

// Appends the last line that the worker printed, without the prefix "grade: ".
static void read_message(const struct worker *w, struct text *message)
{
    char buffer[MESSAGE_MOST + 1];
    off_t size = lseek(w->message, 0, SEEK_END);
    off_t from = size > MESSAGE_MOST ? size - MESSAGE_MOST : 0;
    ssize_t n = pread(w->message, buffer, MESSAGE_MOST, from);
    while (n > 0 && strchr("\n ", buffer[n - 1])) --n;
    buffer[n > 0 ? n : 0] = '\0';
    const char *line = strrchr(buffer, '\n');
    line = line ? line + 1 : buffer;
    text_puts(message, !strncmp(line, "grade: ", 7) ? line + 7 : line);
}

int worker_poll(struct worker *w, struct worker_result *r)
{
    int status, late = clock_s() - w->start_s > LIMIT_S;
    if (late) kill(w->pid, SIGKILL);
    pid_t ended = waitpid(w->pid, &status, late ? 0 : WNOHANG);
    if (!ended || (ended < 0 && errno == EINTR)) return 0;
    if (ended < 0) die("a worker is lost: %s", strerror(errno));
    *r = (struct worker_result){.graded = 0};
    if (!WIFEXITED(status) || WEXITSTATUS(status) || worker_result_read(w->result, 0, r)) read_message(w, &r->message);
    r->seconds = clock_s() - w->start_s;
    if (late)
        text_say(&r->message, " (no end after %.0f s)", LIMIT_S);
    else if (WIFSIGNALED(status))
        text_say(&r->message, "%sthe grader was ended by signal %d (%s)", r->message.length ? ": " : "",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!r->graded && !r->message.length)
        text_say(&r->message, "the grader ended with status %d and said nothing", WEXITSTATUS(status));
    close(w->result);
    close(w->message);
    w->pid = 0;
    return 1;
}

void worker_result_free(struct worker_result *r)
{
    text_free(&r->report);
    text_free(&r->text);
    text_free(&r->html);
    text_free(&r->ptx);
    text_free(&r->message);
    *r = (struct worker_result){.graded = 0};
}
