// Closes the file descriptors of a child process between fork and exec. The function here is async-signal-safe.
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

// Closes the descriptor `first` and all higher descriptors. Otherwise the child would keep the write ends of other
// pipes open, and the readers of these pipes would never see end of file.
void descriptor_close_from(unsigned first);

#endif
