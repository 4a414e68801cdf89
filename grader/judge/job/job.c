// See job.h.
#include "judge/job/job.h"

struct bundle judge_job_bundle(const struct judge_job *job)
{
    struct bundle b = {.shown = ""};
    if (!job) return b;
    b.shown = job->shown;
    if (job->bytes > COMPILE_MOST) return b; // of a source that is too large to grade, only the size is known
    b.text = job->source;
    b.bytes = job->bytes;
    return b;
}

void judge_job_draw(const struct judge_job *job, struct lab_drawn *drawn)
{
    struct secret key = secret_derive(&job->secret, "submission");
    struct bundle b = judge_job_bundle(job);
    uint64_t what[] = {job->seed, secret_hash(&key, b.text, b.bytes)};
    lab_draw(job->lab, &job->secret, secret_hash(&key, what, sizeof what), drawn);
}

const char *judge_job_line(const struct judge_job *job, uint32_t line, char out[BUNDLE_LINE])
{
    struct bundle b = judge_job_bundle(job);
    bundle_line(&b, line, out);
    return out;
}
