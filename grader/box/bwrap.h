// Builds the command line of bubblewrap from a box's spec. Only files in box include this header.
#ifndef BOX_BWRAP_H
#define BOX_BWRAP_H

#include "base/arena.h"
#include "box/box.h"

// Returns the NULL-terminated arguments of bubblewrap, allocated in the arena. The arguments point to the spec's
// strings, which must outlive the arguments. `bwrap` is the path of bubblewrap. `filter` is the descriptor from which
// bubblewrap reads the seccomp filter.
const char **box_bwrap_argv(const struct box_spec *, const char *bwrap, int filter, struct arena *);
// Returns the process number that the program will have in its process namespace.
pid_t box_bwrap_self(const struct box_spec *);

#endif
