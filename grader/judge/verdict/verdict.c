// Frees verdicts and profiles.
#include "judge/verdict/verdict.h"

#include <stdlib.h>

#include "base/text.h"

void profile_free(struct profile *p)
{
    for (uint32_t k = 0; k < p->nkernels; ++k) free(p->kernel[k].seen);
    p->nkernels = 0;
}

void verdict_free(struct verdict *v)
{
    text_free(&v->messages);
    text_free(&v->print);
    text_free(&v->image);
    text_free(&v->unoptimised);
    free(v->coverage);
    v->coverage = NULL;
    profile_free(&v->profile);
    if (v->program.timeline) free(v->program.timeline->span);
    free(v->program.timeline);
    free(v->program.trace);
    v->program = (struct verdict_program){0};
}
