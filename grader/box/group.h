// Manages a control group (cgroup v2) for each box, if the user may make control groups (group.c). Only files in
// grader/box include group.h.
#ifndef BOX_GROUP_H
#define BOX_GROUP_H

#include "box/box.h"

// Returns 1 if boxes get control groups, otherwise 0. The first call of box_group_here() tests the machine and may move
// the calling process into another control group.
int box_group_here(void);
// Makes a control group with the limits of the box_spec and stores the group's number in *number. Returns a descriptor
// for box_group_enter(), or -1 with errno set. The caller closes the descriptor of the control group.
int box_group_make(const struct box_spec *, unsigned *number);
// Moves the calling process into the control group of a box. Returns 0, or -1 with errno set. The child of a box calls
// box_group_enter() between fork and exec; the function is async-signal-safe.
int box_group_enter(int descriptor);
// Kills all processes of the control group. The number 0 means no control group and has no effect.
void box_group_kill(unsigned number);
// Removes the control group. Before the removal, box_group_remove() waits up to 2 s until the control group's killed
// processes have ended. The number 0 means no control group and has no effect.
void box_group_remove(unsigned number);

#endif
