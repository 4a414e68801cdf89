// One sitting of a host lab's program: started once, for one case, on a machine of its own.
#ifndef JUDGE_SITTING_H
#define JUDGE_SITTING_H

#include "judge/judge.h"
#include "judge/session.h"
#include "wire/host_io.h"

struct sitting {
    const struct judge_job *job;
    const struct lab_case *which;
    struct arena arena; // the plan's
    struct lab_plan plan;
    struct judge_session machine; // machine.record: what the devices did; never NULL afterwards
    struct host_io *io;           // a checked copy, with what stands behind it; owned
    struct box host;
    const char *last;        // a sentence, to be translated: why another case is not worth running; NULL: it is
    enum case_result result; // RIGHT: the program came to its end; outputs are not looked at yet
    char message[OBSERVATION_MESSAGE]; // STOPPED: why
};
enum { SITTING_PRINT_MOST = 64 << 10 }; // bytes that a program may print

// Starts a program in its box as the client's, which is freed. Dies when the machine is at fault.
struct host_client;
void sitting_start_host(const struct judge_job *, struct host_client *, const char *path, double wall_s, unsigned cpu_s,
                        struct box *);
// Runs the program at `path`. `image` has the given kernel. Dies when the machine is at fault. Free it.
void sitting_run(struct sitting *, const struct judge_job *, const struct lab_case *, const char *path,
                 const struct text *image);
void sitting_free(struct sitting *);

// Compares the outputs with what is expected: words that did not come as the lab asks count as never written.
// CASE_RIGHT or CASE_WRONG with a sentence in message, and the first wrong output's index in *buffer.
enum case_result sitting_compare(struct sitting *, struct lab_comparison *, int *buffer, uint64_t *hash);
// The speed case's, which may hold inputs where a launch was sampled. 0; or -1 with a sentence in message.
int sitting_complete(struct sitting *);

#endif
