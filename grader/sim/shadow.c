#include "sim/access.h"
void sim_block_barrier(struct sim_block *b)
{
    b->phase++;
}
void sim_warp_barrier(struct sim_warp *w, uint32_t mask)
{
    if (mask == w->live) w->phase++;
}
void sim_block_begin(struct sim_block *b)
{
    b->phase = 0;
}
