// Declares the SVG functions that figure.c and figure_timeline.c share.
#ifndef REPORT_PAGE_FIGURE_FRAME_H
#define REPORT_PAGE_FIGURE_FRAME_H

#include "report/page/figure.h"

// Begins (figure_open) and ends (figure_close) an SVG picture. Width and height are in units of the picture's viewBox.
// `told` is the picture's description for screen readers.
void figure_open(const struct figure *, int width, int height, const char *title, const struct text *told,
                 struct text *out);
void figure_close(struct text *out);
// Writes text into the picture at the point (x, y), and escapes the text for SVG.
void figure_label(struct text *out, int x, int y, const char *class, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Draws a rectangle with its top left corner at (x, y).
void figure_box(struct text *out, int x, int y, int width, int height, const char *class);

#endif
