// The level of confinement that this machine supports. Used only inside box.
#ifndef BOX_LEVEL_H
#define BOX_LEVEL_H

#include "box/box.h"

// Returns the path of bubblewrap, or NULL if there is none.
const char *box_level_bwrap(void);
// Starts a box as box_start() does, but with the given level as the highest.
int box_start_at(const struct box_spec *, enum box_level, struct box *, struct text *why);

#endif
