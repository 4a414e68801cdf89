// Inside the box alone: what must not outlive the grader.
#ifndef BOX_LIVE_H
#define BOX_LIVE_H

#include <sys/types.h>

// A box's process group, and a private directory. When the process that noted them exits, by die() too, the groups that
// are still noted are killed and the directories removed. A forked child of it inherits no such duty.
void box_live_process(pid_t, unsigned control_group); // 0: none
void box_live_directory(const char *path);
void box_live_ended(pid_t);
void box_live_removed(const char *path);
// Around a fork: no box starts any more once the grader is about to exit. Returns only if one may be started.
void box_live_lock(void);
void box_live_unlock(void);

#endif
