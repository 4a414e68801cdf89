// See die.h. Error messages go to stderr, because stdout holds the grader's report.
#define _GNU_SOURCE
#include "base/die.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/message.h"

// LeakSanitizer calls __lsan_is_turned_off(); the result 1 turns the leak check off (sanitizer/lsan_interface.h). The
// leak check is off after die(), because die() frees nothing and the exit status must stay EXIT_NOT_GRADED.
// LeakSanitizer must trace the process, so the leak check is also off in a process that must not be traced, such as the
// sandboxed runner of kernels.
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
    // If several threads call die(), one thread exits, and the other threads wait here until the process ends. The
    // mutex is recursive, because a handler that exit() runs may call die() again.
    static pthread_mutex_t last = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&last);
    dying = 1;
    va_start(args, format);
    message_line("grade: ", message_format(format, buffer), args);
    va_end(args);
    exit(EXIT_NOT_GRADED);
}

void die_bug(const char *file, int line, const char *format, ...)
{
    char prefix[256];
    va_list args;
    snprintf(prefix, sizeof prefix, "BUG in the grader at %s:%d (please report it): ", file, line);
    va_start(args, format);
    message_line(prefix, format, args);
    va_end(args);
    abort();
}
