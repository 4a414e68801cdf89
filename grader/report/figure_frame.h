// What the files that draw pictures share.
#ifndef REPORT_FIGURE_FRAME_H
#define REPORT_FIGURE_FRAME_H

#include "report/figure.h"

// Begins and ends a picture. Sizes are in units of the picture; `told` is its description.
void figure_open(const struct figure *, int width, int height, const char *title, const struct text *told,
                 struct text *out);
void figure_close(struct text *out);
// Writes escaped text at a place.
void figure_label(struct text *out, int x, int y, const char *class, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Draws a rectangle.
void figure_box(struct text *out, int x, int y, int width, int height, const char *class);

#endif
