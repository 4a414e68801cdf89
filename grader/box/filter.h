// Inside the box alone: the seccomp filter, made by libseccomp before the fork, entered by the child or by bubblewrap.
#ifndef BOX_FILTER_H
#define BOX_FILTER_H

#include <sys/types.h>

#include "box/box.h"

struct sock_filter;
struct box_filter {
    struct sock_filter *row; // owned; NULL: this machine has no seccomp
    unsigned short rows;
};
void box_filter_make(const struct box_spec *, struct box_filter *);
void box_filter_free(struct box_filter *);
// In the child, async-signal-safe. 0; -1: it could not be entered.
int box_filter_enter(struct box_filter *);
// The same for a program that will be the process `self` of a namespace, as a descriptor to hand to bubblewrap; -1.
int box_filter_file(struct box_filter *, pid_t self);

#endif
