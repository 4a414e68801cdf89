// Inside report alone: what the writers for course systems have in common as JSON.
#ifndef REPORT_LMS_VALUE_H
#define REPORT_LMS_VALUE_H

#include "report/json_value.h"
#include "report/lms.h"
#include "report/report.h"

// Text of a row, and the screen that the student would see.
static inline json_t *lms_said(const struct lms_row *row)
{
    return string(row->said.data ? row->said.data : "");
}

static inline json_t *lms_terminal(const struct verdict *v)
{
    struct text screen = {0};
    report_terminal(v, &(struct report_options){.utf8 = 1}, &screen);
    json_t *value = string(screen.data ? screen.data : "");
    text_free(&screen);
    return value;
}

#endif
