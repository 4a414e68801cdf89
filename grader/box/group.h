// Manages a control group (cgroup v2) for each box, if this user may make control groups (group.c). Only files in box
// include this header.
#ifndef BOX_GROUP_H
#define BOX_GROUP_H

#include "box/box.h"

// Returns 1 if boxes get control groups, otherwise 0. The first call tests the machine and may move this process into
// another control group.
int box_group_here(void);
// Makes a control group with the limits of the spec and stores the group's number in *number. Returns a descriptor for
// box_group_enter(), or -1 with errno set. The caller closes the descriptor.
int box_group_make(const struct box_spec *, unsigned *number);
// Moves the calling process into the group. Returns 0, or -1 with errno set. Called in the child; async-signal-safe.
int box_group_enter(int descriptor);
// Kills all processes of the control group. Does nothing for number 0.
void box_group_kill(unsigned number);
// Removes the control group. Waits up to 2 s until the group's killed processes have ended. Does nothing for number 0.
void box_group_remove(unsigned number);

#endif
