// A word in shared memory that one process writes and another reads concurrently.
#ifndef CPLATFORM_SHARED_WORD_H
#define CPLATFORM_SHARED_WORD_H

#include <stdint.h>

/// Reads a word atomically while another process may be writing it.
static inline uint32_t platform_read_shared_word(const uint32_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/// Writes a word atomically while another process may be reading it.
static inline void platform_write_shared_word(uint32_t *word, uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

#endif
