// Defines how a submission names its author.
#ifndef BATCH_UNPACK_IDENTITY_H
#define BATCH_UNPACK_IDENTITY_H

// Holds the names and numbers that a submission contains for its author. Any field of struct identity may be "".
struct identity {
    char name[256]; // "Jane Doe", "doejane", "jane-doe"
    char id[64];    // the student's number in the course system
    char email[128];
    char sis[64];
    char login[64];
};

#endif
