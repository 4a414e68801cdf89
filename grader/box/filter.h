// Makes and enters the seccomp filter of a box. libseccomp makes the filter before fork. The child or bubblewrap enters
// the filter. Only files in box include this header.
#ifndef BOX_FILTER_H
#define BOX_FILTER_H

#include <sys/types.h>

#include "box/box.h"

struct sock_filter;
struct box_filter {
    struct sock_filter *row; // BPF instructions; owned; NULL: the filter could not be made
    unsigned short rows;
};
// Makes the seccomp filter for a spec. The caller frees the filter with box_filter_free().
void box_filter_make(const struct box_spec *, struct box_filter *);
void box_filter_free(struct box_filter *);
// Enters the filter. Returns 0, or -1 if entering fails or if there is no filter. Called in the child;
// async-signal-safe.
int box_filter_enter(struct box_filter *);
// Returns a descriptor from which bubblewrap can read the filter, or -1 on failure. `self` is the process number that
// the program will have in its namespace. The caller closes the descriptor.
int box_filter_file(struct box_filter *, pid_t self);

#endif
