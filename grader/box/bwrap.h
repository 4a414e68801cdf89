// Builds the command line of bubblewrap from a struct box_spec. Only files in grader/box include bwrap.h.
#ifndef BOX_BWRAP_H
#define BOX_BWRAP_H

#include "base/arena.h"
#include "box/box.h"

// Returns the NULL-terminated command line of bubblewrap, allocated in the arena. The command line points to the
// strings of the box_spec, which must outlive the command line. `bwrap` is the path of the program bubblewrap. `filter`
// is the descriptor from which bubblewrap reads the seccomp filter.
const char **box_bwrap_argv(const struct box_spec *, const char *bwrap, int filter, struct arena *);
// Returns the process number that the program in the box will have in its process namespace.
pid_t box_bwrap_self(const struct box_spec *);

#endif
