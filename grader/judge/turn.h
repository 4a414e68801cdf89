// Whose turn it is with the card: graders of one machine measure one after the other, or each would disturb the others.
#ifndef JUDGE_TURN_H
#define JUDGE_TURN_H

// Waits for the card ("" or NULL: the first), ten minutes at the most, since no grader takes that long: then whoever
// holds it is no grader, and measuring goes on without. A turn is ended by judge_turn_end, or with the process.
int judge_turn_begin(const char *card);
void judge_turn_end(int turn);

#endif
