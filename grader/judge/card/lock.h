// Provides a lock for each card. The graders of one machine measure one after the other, because simultaneous
// measurements would disturb each other.
#ifndef JUDGE_CARD_LOCK_H
#define JUDGE_CARD_LOCK_H

// Waits for the lock of a card and takes the lock. `card` is the card's name; "" or NULL means the first card. Waits
// ten minutes at most. No grader holds the lock for ten minutes, so after ten minutes the caller measures without the
// lock. Returns a descriptor that must be passed to card_lock_release(), or -1 if the lock file cannot be opened. The
// end of the process also releases the lock.
int card_lock_take(const char *card);
// Releases the lock and closes the descriptor. Does nothing if `lock` is -1.
void card_lock_release(int lock);

#endif
