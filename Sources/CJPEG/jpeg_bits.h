// A bit reader of a JPEG file's entropy-coded data (ITU-T T.81, F.2.2.5), from the highest bit of the first byte.
#ifndef JPEG_BITS_H
#define JPEG_BITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/// The state of the reader. Bits past a marker or the end of the file are undefined; the count is then negative.
typedef struct jpeg_bits {
  const uint8_t *next;
  const uint8_t *end;
  /// The next bits, from the highest. Below the counted bits there may be a part of the next byte.
  uint64_t waiting;
  int count;
} jpeg_bits;

/// The minimum number of bits after jpeg_bits_fill(), except at a marker or the end.
enum { JPEG_BITS_FILLED = 56 };

/// Fills one byte at a time, because 255 is followed by a stuffed zero or begins a marker.
///
/// Takes and returns a value, because a variable whose address is passed to a function that is not inlined cannot stay
/// in registers.
jpeg_bits jpeg_bits_filled_slowly(jpeg_bits bits);

/// Fills the reader with whole bytes. The count must not be negative.
static inline void jpeg_bits_fill(jpeg_bits *bits) {
  if (bits->end - bits->next >= 8) {
    uint64_t eight;
    memcpy(&eight, bits->next, 8);
    eight = be64toh(eight);
    const int bytes = (63 - bits->count) >> 3;
    const uint64_t taken = eight & ~(UINT64_MAX >> 8 * bytes);
    // Detects bytes of 255: their complement is zero, and subtracting 1 from a zero byte borrows.
    if (((~taken - 0x0101010101010101u) & taken & 0x8080808080808080u) == 0) {
      bits->waiting |= eight >> bits->count;
      bits->next += bytes;
      bits->count += 8 * bytes;
      return;
    }
  }
  *bits = jpeg_bits_filled_slowly(*bits);
}

/// Returns the next 1 to 32 bits as a number, without consuming them.
static inline uint32_t jpeg_bits_peek(const jpeg_bits *bits, int count) {
  return (uint32_t)(bits->waiting >> (64 - count));
}

/// Consumes 0 to 63 bits.
static inline void jpeg_bits_pass(jpeg_bits *bits, int count) {
  bits->waiting <<= count;
  bits->count -= count;
}

#endif
