// Keeps a list of processes and directories that must not outlive the grader. Only files in grader/box include
// cleanup.h.
#ifndef BOX_CLEANUP_H
#define BOX_CLEANUP_H

#include <sys/types.h>

// Adds a process group with its control group, or a private directory, to the cleanup list. When the grader exits, also
// by die(), an exit() handler kills all process groups in the cleanup list and removes all directories in it. In a
// forked child of the grader, the exit() handler does nothing.
void box_cleanup_add_process(pid_t, unsigned control_group); // control_group is 0 if the box has no control group
// `lock` is the descriptor that locks the directory, which the list owns; -1: none
void box_cleanup_add_directory(const char *path, int lock);
// Removes a process group or a directory from the cleanup list, after the processes have ended or the directory is
// removed.
void box_cleanup_drop_process(pid_t);
void box_cleanup_drop_directory(const char *path);
// Locks and unlocks the cleanup list, which holds the processes and directories to remove at exit. The code that starts
// a box locks the cleanup list around fork(), so that no box starts while the grader exits. While the grader exits,
// box_cleanup_lock() does not return. The caller of box_cleanup_add_process() must hold the lock of the cleanup list.
void box_cleanup_lock(void);
void box_cleanup_unlock(void);

#endif
