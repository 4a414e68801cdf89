// What the child of a box gives up between fork and exec (confine.c). Used only inside box.
#ifndef BOX_CONFINE_H
#define BOX_CONFINE_H

#include <sys/types.h>

#include "box/box.h"
#include "box/filter.h"

// NULL-terminated: what every program may read, such as libraries, tools and the loader's cache. The second one tells
// how many processors there are.
extern const char *const box_confine_system[];
extern const char *const box_confine_processors;

// Returns the folder given to box_hide() if it is inside one of these folders, else NULL.
const char *box_confine_hidden(void);

// Before fork: returns a descriptor of a Landlock ruleset for the spec, for box_confine_enter(), or -1 if the kernel
// has no Landlock. The caller closes it.
int box_confine_ruleset(const struct box_spec *);
// Before fork: returns the user that the box runs as, and gives the box's private directory to this user. Returns
// BOX_SAME_USER if the caller is not root, or if that user could not reach a path of the spec.
#define BOX_SAME_USER ((uid_t)-1)
uid_t box_confine_user(const struct box_spec *);

// In the child, async-signal-safe: changes to the user; exits with 127 if that fails.
void box_confine_become(uid_t user);
// In the child, async-signal-safe: sets the resource limits of the spec. `processes`: limit of the user's processes, or
// 0.
void box_confine_limit(const struct box_spec *, unsigned long processes);
// In the child, async-signal-safe: forbids new privileges, enters the ruleset (-1: none) and the filter. Returns the
// level reached.
enum box_level box_confine_enter(int ruleset, struct box_filter *);

#endif
