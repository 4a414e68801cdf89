// Inside the box alone: a control group (cgroup v2) for a box, where this user may make groups.
#ifndef BOX_GROUP_H
#define BOX_GROUP_H

#include "box/box.h"

// 1: boxes get control groups here. The first call looks, and may move this process into a group of its own.
int box_group_here(void);
// A group for one box with the spec's limits, *number its name. The descriptor that box_group_enter wants; -1: errno.
int box_group_make(const struct box_spec *, unsigned *number);
// In the child, async-signal-safe. 0 or -1.
int box_group_enter(int descriptor);
// Kills all that is in it; removes it, waiting until the kernel has buried them.
void box_group_kill(unsigned number);
void box_group_remove(unsigned number);

#endif
