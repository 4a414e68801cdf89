// Descriptors of a child process between fork and exec. The function is async-signal-safe.
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

// Closes the descriptor `first` and all higher ones. Otherwise a child would hold the write ends of other pipes, and
// their readers would never see end of file.
void descriptor_close_from(unsigned first);

#endif
