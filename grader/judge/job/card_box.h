// Configures the sandbox of a runner process that uses a GPU. The struct card_box lists the files and environment
// variables that the runner process may use.
#ifndef JUDGE_JOB_CARD_BOX_H
#define JUDGE_JOB_CARD_BOX_H

#include "box/box.h"

enum { CARD_NODES = 32, CARD_NODE = 64, CARD_VARIABLES = 3, CARD_VARIABLE = 4096 };

struct card_box { // the box_spec points into this struct, so keep the struct until box_start() returns
    char node[CARD_NODES][CARD_NODE], variable[CARD_VARIABLES][CARD_VARIABLE];
    const char *nodes[CARD_NODES + 1], *env[CARD_VARIABLES + 1], *readable[4];
};
// Fills the fields of a struct box_spec so that a GPU's driver can work in the sandbox. The caller must have set
// spec->argv before it calls card_box_fill().
void card_box_fill(struct card_box *, struct box_spec *);

#endif
