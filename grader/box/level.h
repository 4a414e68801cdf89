// Inside the box alone: what this machine can do.
#ifndef BOX_LEVEL_H
#define BOX_LEVEL_H

#include "box/box.h"

// bubblewrap's path. NULL: there is none.
const char *box_level_bwrap(void);
// Starts a box of at most that level: box_start with box_level_here() and what the spec asks for.
int box_start_at(const struct box_spec *, enum box_level, struct box *, struct text *why);

#endif
