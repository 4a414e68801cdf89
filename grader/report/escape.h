// Escapes text of unknown origin for HTML, XML and CSV. The functions escape_html() and escape_csv() first make the
// text clean UTF-8 (base/utf8.h).
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stddef.h>

struct text;

// Appends text, escaped for use between HTML or XML tags or inside a quoted attribute. The characters & < > " ' become
// entities, such as &amp;.
void escape_html(struct text *out, const char *text, size_t length);
// Appends one quoted cell of a CSV file (RFC 4180). A cell of several characters that begins with = + - @ or white
// space gets an apostrophe in front, because a spreadsheet would treat the cell as a formula (OWASP, "CSV Injection").
// The caller writes numbers without escape_csv().
void escape_csv(struct text *out, const char *text, size_t length);

#endif
