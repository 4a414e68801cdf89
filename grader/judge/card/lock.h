// Provides a lock for each GPU. All graders on a machine take a GPU's lock before they measure on it, because
// simultaneous measurements would disturb each other.
#ifndef JUDGE_CARD_LOCK_H
#define JUDGE_CARD_LOCK_H

// Takes the lock of a GPU, after waiting at most ten minutes for other graders to release it. `card` is the name of the
// GPU; "" or NULL means the first GPU. No grader holds a GPU's lock for ten minutes, so after ten minutes the caller
// measures without the lock. Returns a file descriptor that must be passed to card_lock_release(), or -1 if the lock
// file cannot be opened. The end of the calling process also releases the lock.
int card_lock_take(const char *card);
// Releases the lock of a GPU and closes its file descriptor. Does nothing if `lock` is -1.
void card_lock_release(int lock);

#endif
