// See job.h.
#include "judge/job/job.h"

void judge_job_draw(const struct judge_job *job, struct lab_drawn *drawn)
{
    struct secret key = secret_derive(&job->secret, "submission");
    uint64_t what[] = {job->seed, secret_hash(&key, job->source, job->bytes)};
    lab_draw(job->lab, &job->secret, secret_hash(&key, what, sizeof what), drawn);
}
