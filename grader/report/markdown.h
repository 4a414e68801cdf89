// Renders a page in Markdown, such as the answers to a handout's exercises, on a terminal.
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include <stdint.h>

#include "report/report.h"

// Appends the page as text, wrapped at the maximum line length. The page is valid UTF-8 of our own. It has headings,
// paragraphs, list items, fenced code, `code`, *emphasis*, **strong emphasis** and links. In colour, code is green and
// emphasis is bold. Without colour, code keeps its backticks and emphasis is plain. Of a link only the text remains.
void markdown_render(const char *page, const struct report_options *, struct text *out);
// Appends the item `number` of the page's numbered list, as Markdown. Returns 1, or 0 if there is no such item.
int markdown_item(const char *page, uint32_t number, struct text *out);

#endif
