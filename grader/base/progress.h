// A progress line on stderr for work that takes longer than half a second; nothing unless stderr is a terminal.
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

struct progress {
    const char *what; // not owned
    int total, done;
    long long start_ns, last_ns;
    int shown;
};

struct progress progress_start(const char *what, int total);
void progress_step(struct progress *p, const char *detail);
void progress_end(struct progress *p); // wipes the line

#endif
