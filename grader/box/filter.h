// Makes and enters the seccomp filter of a box. The parent makes the seccomp filter with libseccomp before fork. The
// child or bubblewrap enters the seccomp filter. Only files in grader/box include filter.h.
#ifndef BOX_FILTER_H
#define BOX_FILTER_H

#include <sys/types.h>

#include "box/box.h"

struct sock_filter;
struct box_filter {
    struct sock_filter *row; // BPF instructions; owned; NULL: the filter could not be made
    unsigned short rows;
};
// Makes the seccomp filter for a box_spec. The caller frees the seccomp filter with box_filter_free().
void box_filter_make(const struct box_spec *, struct box_filter *);
void box_filter_free(struct box_filter *);
// Makes the seccomp filter take effect for the calling process. Returns 0, or -1 if the kernel refuses the seccomp
// filter or the filter could not be made. The child of a box calls box_filter_enter() between fork and exec; the
// function is async-signal-safe.
int box_filter_enter(struct box_filter *);
// Returns a descriptor from which bubblewrap can read the seccomp filter, or -1 on failure. `self` is the process
// number that the program in the box will have in its process namespace. The caller closes the descriptor of the
// seccomp filter.
int box_filter_file(struct box_filter *, pid_t self);

#endif
