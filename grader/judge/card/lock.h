// The lock on a card: graders of one machine measure one after the other, because each would disturb the others.
#ifndef JUDGE_CARD_LOCK_H
#define JUDGE_CARD_LOCK_H

// Waits for the lock of a card ("" or NULL: the first card), ten minutes at most. No grader holds the lock that long,
// so measuring then goes on without the lock. Returns the lock; or -1: there is none. card_lock_release() or the end of
// the process releases the lock.
int card_lock_take(const char *card);
void card_lock_release(int lock);

#endif
