// Inside the box alone: what a child gives up between fork and exec, see confine.c.
#ifndef BOX_CONFINE_H
#define BOX_CONFINE_H

#include "box/box.h"

// Before fork: a Landlock ruleset for the spec, as a descriptor to hand to box_confine_enter; -1 where the kernel has
// none or the spec asks for none.
int box_confine_ruleset(const struct box_spec *);
// In the child, async-signal-safe: limits, no new privileges, Landlock, seccomp. The level that was reached.
// `processes` is the limit for RLIMIT_NPROC.
enum box_level box_confine_enter(const struct box_spec *, int ruleset, unsigned long processes);
// 1: the spec or the environment asks for BOX_LIMITS only.
int box_confine_open(const struct box_spec *);

#endif
