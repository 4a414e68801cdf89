// Writes a recorded block (judge/verdict/step.h) as a page on which a reader walks through it, step by step.
#ifndef REPORT_PAGE_PAGE_STEP_H
#define REPORT_PAGE_PAGE_STEP_H

#include "judge/verdict/step.h"

// Appends a whole HTML page. It refers to no other file.
void page_step(const struct verdict_step *, struct text *out);

#endif
