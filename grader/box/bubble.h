// Inside the box alone: the command line of bubblewrap for a spec.
#ifndef BOX_BUBBLE_H
#define BOX_BUBBLE_H

#include "base/arena.h"
#include "box/box.h"

// The arguments, NULL-terminated, in the arena; the strings of the spec are used as they are. `bwrap` is the program's
// path, `filter` the number of the descriptor that holds the seccomp filter.
const char **box_bubble_argv(const struct box_spec *, const char *bwrap, int filter, struct arena *);
// The process number that the program will have in its namespace.
pid_t box_bubble_self(const struct box_spec *);

#endif
