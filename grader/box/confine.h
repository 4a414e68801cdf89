// Inside the box alone: what a box's child gives up between fork and exec, see confine.c.
#ifndef BOX_CONFINE_H
#define BOX_CONFINE_H

#include <sys/types.h>

#include "box/box.h"
#include "box/filter.h"

// What any program may read: libraries, tools, the loader's cache, and how many processors there are. NULL-terminated.
extern const char *const box_confine_system[];
extern const char *const box_confine_processors;

// The folder given to box_hide, where it lies below one of these; else NULL.
const char *box_confine_hidden(void);

// Before fork: a Landlock ruleset for the spec, as a descriptor to hand to box_confine_enter; -1 where the kernel has
// none.
int box_confine_ruleset(const struct box_spec *);
// Before fork, where the caller is root: the user whose box it will be, one of this process's own, to whom the box's
// private directory is then given; BOX_SAME_USER where the caller is not root, or where that user could not reach what
// the spec names.
#define BOX_SAME_USER ((uid_t)-1)
uid_t box_confine_user(const struct box_spec *);

// In the child, async-signal-safe.
void box_confine_become(uid_t user);
void box_confine_limit(const struct box_spec *, unsigned long processes);
// No new privileges, Landlock, seccomp. The level that was reached.
enum box_level box_confine_enter(int ruleset, struct box_filter *);

#endif
