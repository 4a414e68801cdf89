// What a child does with descriptors between fork and exec; async-signal-safe.
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

// Closes `first` and all behind it: a pipe's end that a child holds besides is never at its end for who reads it.
void descriptor_close_from(unsigned first);

#endif
