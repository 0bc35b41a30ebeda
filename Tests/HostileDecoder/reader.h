// The answers of a reading process that lies.
#ifndef HOSTILE_READER_H
#define HOSTILE_READER_H

#include <stdint.h>

// Sends the first packet of a reading process with the layers that confine it.
void reader_greets(uint32_t layers);

// Answers a request honestly, except for the width of what was read.
void reader_answer(const uint32_t *words, uint16_t width);

// Answers a request by the lie of a name. Returns 0 if there is none.
int reader_lies(const char *name, const uint32_t *words, int descriptor);

#endif
