// Finds the strongest confinement level that this machine supports. Only files in grader/box include level.h.
#ifndef BOX_LEVEL_H
#define BOX_LEVEL_H

#include "box/box.h"

// Returns the path of the program bubblewrap, or NULL if bubblewrap is not installed.
const char *box_level_bwrap(void);
// Starts a box as box_start() does, but at most with the given confinement level.
int box_start_at(const struct box_spec *, enum box_level, struct box *, struct text *why);

#endif
