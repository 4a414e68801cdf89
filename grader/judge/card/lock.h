// The lock on a card: graders of one machine measure one after the other, because each would disturb the others.
#ifndef JUDGE_CARD_LOCK_H
#define JUDGE_CARD_LOCK_H

// Waits for the card ("" or NULL: the first) for ten minutes at most. No grader takes that long, so whoever holds the
// lock then is no grader, and measuring goes on without it. Returns the lock, which card_lock_release or the end of the
// process releases; or -1: there is none.
int card_lock_take(const char *card);
void card_lock_release(int lock);

#endif
