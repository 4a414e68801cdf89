// See die.h. stderr only: stdout belongs to the report.
#define _GNU_SOURCE
#include "base/die.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/message.h"

static void say(const char *prefix, const char *format, va_list args)
{
    fflush(stdout);
    fputs(prefix, stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

// Who dies does not tidy up, and the exit status is ours, not LeakSanitizer's (sanitizer/lsan_interface.h). Nor does it
// look at who may not be traced, as a runner may not.
static int dying;
#ifdef __SANITIZE_ADDRESS__
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return dying || !prctl(PR_GET_DUMPABLE);
}
#endif

void die(const char *format, ...)
{
    va_list args;
    char buffer[MESSAGE_FORMAT];
    // From one thread alone: another that comes here waits for the end. exit() may come back, from the same one.
    static pthread_mutex_t last = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&last);
    dying = 1;
    va_start(args, format);
    say("grade: ", message_format(format, buffer), args);
    va_end(args);
    exit(EXIT_NOT_GRADED);
}

void warn(const char *format, ...)
{
    va_list args;
    char buffer[MESSAGE_FORMAT];
    va_start(args, format);
    say(_("warning: "), message_format(format, buffer), args);
    va_end(args);
}

void base_bug(const char *file, int line, const char *format, ...)
{
    char prefix[256];
    va_list args;
    snprintf(prefix, sizeof prefix, "BUG in the grader at %s:%d (please report it): ", file, line);
    va_start(args, format);
    say(prefix, format, args);
    va_end(args);
    abort();
}
