// The command line of bubblewrap for a spec. Used only inside box.
#ifndef BOX_BWRAP_H
#define BOX_BWRAP_H

#include "base/arena.h"
#include "box/box.h"

// Returns the NULL-terminated arguments, allocated in the arena. They contain the spec's strings, which must outlive
// them. `bwrap` is the path of bubblewrap, `filter` the descriptor from which it reads the seccomp filter.
const char **box_bwrap_argv(const struct box_spec *, const char *bwrap, int filter, struct arena *);
// Returns the number that the program's process will have in its namespace.
pid_t box_bwrap_self(const struct box_spec *);

#endif
