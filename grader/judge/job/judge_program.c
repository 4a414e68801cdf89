// Starts a host program in a sandbox. From the grader, the host program gets only the shared memory and the socket
// (doorbell) that connect it to its runner process.
#include "judge/job/judge_program.h"
#include "host/border/host.h"

#include <stdio.h>

#include "base/die.h"
#include "base/text.h"
#include "judge/job/runner.h"

static const uint64_t MEMORY_MOST = UINT64_C(2) << 30;

void judge_program_start(const struct judge_job *job, struct host_client *client, const char *path, double wall_s,
                         unsigned cpu_s, struct box *host)
{
    char library[4096];
    struct text why = {0};
    const char *const argv[] = {path, NULL};
    snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s", job->cudart);
    // OpenMP: as many threads on every machine, which wait at a futex and not in a loop that reads the real clock.
    const char *const env[] = {HOST_ENVIRONMENT "=3,4",   library, "OMP_NUM_THREADS=8", "OMP_DYNAMIC=false",
                               "OMP_WAIT_POLICY=passive", NULL};
    const char *const readable[] = {path, job->cudart, NULL};
    int fds[] = {client->channel.memory, client->channel.doorbell};
    struct box_spec spec = {.argv = argv,
                            .env = env,
                            .readable = readable,
                            .fds = fds,
                            .nfds = 2,
                            .output = JUDGE_PROGRAM_PRINT,
                            .wall_s = wall_s,
                            .cpu_s = cpu_s,
                            .address_space = JUDGE_SANITIZED ? 0 : MEMORY_MOST,
                            .single = 1,
                            .own_proc = 1,      // tells libcudart whether a thread sleeps (host/runtime/turn.c)
                            .shared_memory = 1, // LLVM's OpenMP library registers itself there
                            .signals = 1,
                            .open = job->open};
    if (box_start(&spec, host, &why)) die("cannot start the program: %s", why.data);
    // close the judge's copy of the descriptors, so that the doorbell closes when the program ends
    host_client_free(client);
}
