// Declares the functions that take rights from the child of a box between fork and exec (confine.c). Only files in box
// include this header.
#ifndef BOX_CONFINE_H
#define BOX_CONFINE_H

#include <sys/types.h>

#include "box/box.h"
#include "box/filter.h"

// box_confine_system lists the paths that every program may read, such as libraries, tools and the loader's cache. The
// list ends with NULL. box_confine_processors is a file that contains the number of processors.
extern const char *const box_confine_system[];
extern const char *const box_confine_processors;

// Returns the folder that box_hide() hides, or NULL if no folder is hidden. Only a folder inside one of the folders in
// box_confine_system is hidden.
const char *box_confine_hidden(void);

// Makes a Landlock ruleset for the spec and returns its descriptor, or -1 if the kernel has no Landlock. The caller
// passes the descriptor to box_confine_enter() and closes the descriptor. Must be called before fork.
int box_confine_ruleset(const struct box_spec *);
// Returns the user that the box will run as, and gives the box's private directory to this user. Returns BOX_SAME_USER
// if the caller is not root, or if the user could not reach a path of the spec. Must be called before fork.
#define BOX_SAME_USER ((uid_t)-1)
uid_t box_confine_user(const struct box_spec *);

// Changes the calling process to the user. Exits with code 127 on failure. Called in the child; async-signal-safe.
void box_confine_become(uid_t user);
// Sets the resource limits of the spec for the calling process. `processes` is the limit of the user's processes, or 0
// for no limit. Called in the child; async-signal-safe.
void box_confine_limit(const struct box_spec *, unsigned long processes);
// Forbids new privileges and enters the Landlock ruleset (-1: none) and the seccomp filter. Returns the confinement
// level that was reached. Called in the child; async-signal-safe.
enum box_level box_confine_enter(int ruleset, struct box_filter *);

#endif
