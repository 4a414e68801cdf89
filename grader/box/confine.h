// Declares the functions that take rights from the child process of a box between fork and exec (confine.c). Only files
// in grader/box include confine.h.
#ifndef BOX_CONFINE_H
#define BOX_CONFINE_H

#include <sys/types.h>

#include "box/box.h"
#include "box/filter.h"

// The NULL-terminated list box_confine_system holds the paths that every program in a box may read, such as libraries,
// tools and the loader's cache. Of the paths in box_confine_system, a program with box_spec.bare may read only
// box_confine_processors. The path box_confine_processors is the folder from which a program reads the number of
// processors.
extern const char *const box_confine_system[];
extern const char *const box_confine_processors;

// Returns the folder that box_hide() hides, or NULL if no folder is hidden. Only a folder inside one of the folders in
// box_confine_system is hidden.
const char *box_confine_hidden(void);

// Makes a Landlock ruleset for the box_spec and returns the ruleset's descriptor, or -1 if the kernel has no Landlock.
// The caller passes the descriptor of the Landlock ruleset to box_confine_enter() and closes the descriptor. The parent
// must call box_confine_ruleset() before fork.
int box_confine_ruleset(const struct box_spec *);
// Returns the user ID that the box will run as, and makes this user the owner of the box's private directory. Returns
// BOX_SAME_USER if the caller is not root, if the box uses the caller's stdin and stdout, or if the box's user could
// not reach a path of the box_spec. The parent must call box_confine_user() before fork.
#define BOX_SAME_USER ((uid_t)-1)
uid_t box_confine_user(const struct box_spec *);

// Makes the calling process run as the user with the ID `user`. Exits with code 127 on failure. The child of a box
// calls box_confine_become() between fork and exec; the function is async-signal-safe.
void box_confine_become(uid_t user);
// Sets the resource limits of the box_spec for the calling process. `processes` limits the number of processes of the
// box's user; 0 means no limit. The child of a box calls box_confine_limit() between fork and exec; the function is
// async-signal-safe.
void box_confine_limit(const struct box_spec *, unsigned long processes);
// Forbids new privileges (PR_SET_NO_NEW_PRIVS) and makes the Landlock ruleset (-1: none) and the seccomp filter take
// effect for the calling process. Returns the confinement level that the calling process has reached. The child of a
// box calls box_confine_enter() between fork and exec; the function is async-signal-safe.
enum box_level box_confine_enter(const struct box_spec *, int ruleset, struct box_filter *);

#endif
