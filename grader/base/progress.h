// A progress line on stderr for work that takes longer than half a second; nothing unless stderr is a terminal.
// Long work (progress_long) also tells its rate, what is left and what failed, and says so in plain lines from time to
// time where stderr is no terminal.
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

struct progress {
    const char *what; // not owned
    int total, done, failed;
    int lines;        // 1: long work
    char failure[64]; // the last one's name
    long long start_ns, last_ns;
    int shown;
};

struct progress progress_start(const char *what, int total);
struct progress progress_long(const char *what, int total);
void progress_step(struct progress *p, const char *detail);
void progress_fail(struct progress *p, const char *name); // of what was a step
void progress_end(struct progress *p);                    // wipes the line

#endif
