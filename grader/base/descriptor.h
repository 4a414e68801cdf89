// Closes the file descriptors of a child process between fork and exec. The function descriptor_close_from() is
// async-signal-safe.
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

// Closes the descriptor `first` and all higher descriptors. If a child process kept the write ends of other pipes open,
// the readers of these pipes would never see end of file.
void descriptor_close_from(unsigned first);

#endif
