// Text of strangers inside a format that gives characters a meaning. Both clean it first (base/utf8.h).
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include "base/text.h"

// Between tags or inside a quoted attribute of HTML or XML: & < > " ' become entities.
void escape_html(struct text *out, const char *text, size_t length);
// One whole cell of a CSV file (RFC 4180), quotes included. A cell that a spreadsheet would take for a formula, because
// it begins with = + - @ or white space, gets an apostrophe in front (OWASP, "CSV Injection"). Numbers of ours are
// written without this.
void escape_csv(struct text *out, const char *text, size_t length);

#endif
