// Declares functions that several files that draw pictures use.
#ifndef REPORT_FIGURE_FRAME_H
#define REPORT_FIGURE_FRAME_H

#include "report/figure.h"

// figure_open() begins a picture, and figure_close() ends a picture. Sizes are in units of the picture. `told` is the
// picture's description for screen readers.
void figure_open(const struct figure *, int width, int height, const char *title, const struct text *told,
                 struct text *out);
void figure_close(struct text *out);
// Writes text, escaped, at the point (x, y).
void figure_label(struct text *out, int x, int y, const char *class, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Draws a rectangle with its top left corner at (x, y).
void figure_box(struct text *out, int x, int y, int width, int height, const char *class);

#endif
