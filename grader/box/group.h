// A control group (cgroup v2) for each box, where this user may make groups (group.c). Used only inside box.
#ifndef BOX_GROUP_H
#define BOX_GROUP_H

#include "box/box.h"

// Returns 1 if boxes get control groups. The first call finds out, and may move this process into a group of its own.
int box_group_here(void);
// Makes a group with the limits of the spec and stores its number in *number. Returns a descriptor for
// box_group_enter(), which the caller closes, or -1 with errno.
int box_group_make(const struct box_spec *, unsigned *number);
// In the child, async-signal-safe: moves the process into the group. Returns 0, or -1 with errno.
int box_group_enter(int descriptor);
// Kills all processes of the group; does nothing for number 0.
void box_group_kill(unsigned number);
// Removes the group; waits up to 2 s until its killed processes are gone. Does nothing for number 0.
void box_group_remove(unsigned number);

#endif
