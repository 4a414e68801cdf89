// How a process deals with the memory that it has freed.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

// From now on what is freed is kept and given out again, large blocks too: a case's arrays come and go with it, and
// each page that goes back to the kernel is cleared and mapped anew for the next case. For programs that end soon.
void memory_keep_freed(void);

#endif
