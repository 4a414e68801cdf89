// A list of processes and directories that must not outlive the grader. Used only inside box.
#ifndef BOX_CLEANUP_H
#define BOX_CLEANUP_H

#include <sys/types.h>

// Add a process group with its control group, or a private directory. When the process that added them exits, also by
// die(), it kills the groups and removes the directories that are still in the list. A forked child does not.
void box_cleanup_add_process(pid_t, unsigned control_group); // 0: none
void box_cleanup_add_directory(const char *path);
// Remove an entry after its processes or its directory are gone.
void box_cleanup_drop_process(pid_t);
void box_cleanup_drop_directory(const char *path);
// Lock the list around a fork, so that no box starts while the grader exits. box_cleanup_lock() does not return then.
// The lock must be held for box_cleanup_add_process().
void box_cleanup_lock(void);
void box_cleanup_unlock(void);

#endif
