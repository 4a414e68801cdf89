// The box of a runner that holds a card: files, variables and sockets that it may use besides its own program.
#ifndef JUDGE_JOB_CARD_BOX_H
#define JUDGE_JOB_CARD_BOX_H

#include "box/box.h"

enum { CARD_NODES = 32, CARD_NODE = 64, CARD_VARIABLES = 3, CARD_VARIABLE = 4096 };

struct card_box { // the spec points into it until the box is started
    char node[CARD_NODES][CARD_NODE], variable[CARD_VARIABLES][CARD_VARIABLE];
    const char *nodes[CARD_NODES + 2], *env[CARD_VARIABLES + 1], *readable[3];
};
// Fills the parts of a spec that a card's driver needs. The spec has an argv already.
void card_box_fill(struct card_box *, struct box_spec *);

#endif
