// The bits of a JPEG file's entropy-coded bytes (ITU-T T.81, F.2.2.5), from the highest of the first byte.
#ifndef JPEG_BITS_H
#define JPEG_BITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/// Where reading stands. Bits past a marker, or past the file's end, mean nothing, and the count says so by being below 0.
typedef struct jpeg_bits {
  const uint8_t *next;
  const uint8_t *end;
  /// The bits that come next, from the highest. Below those that count there may be a part of the next byte.
  uint64_t waiting;
  int count;
} jpeg_bits;

/// Bits that wait after jpeg_bits_fill(), at least, until a marker or the end comes.
enum { JPEG_BITS_FILLED = 56 };

/// A byte at a time, as 255 is followed by a nought that does not count, or begins a marker.
///
/// By value: what is pointed at by a function that is not inlined does not stay in registers.
jpeg_bits jpeg_bits_filled_slowly(jpeg_bits bits);

/// Takes whole bytes in. To be called while the count is not below 0.
static inline void jpeg_bits_fill(jpeg_bits *bits) {
  if (bits->end - bits->next >= 8) {
    uint64_t eight;
    memcpy(&eight, bits->next, 8);
    eight = be64toh(eight);
    const int bytes = (63 - bits->count) >> 3;
    const uint64_t taken = eight & ~(UINT64_MAX >> 8 * bytes);
    // A byte is 255 where taking it from 255 leaves a nought, from which 1 cannot be taken without a carry.
    if (((~taken - 0x0101010101010101u) & taken & 0x8080808080808080u) == 0) {
      bits->waiting |= eight >> bits->count;
      bits->next += bytes;
      bits->count += 8 * bytes;
      return;
    }
  }
  *bits = jpeg_bits_filled_slowly(*bits);
}

/// The next bits as a number, 1 to 32 of them, which stay.
static inline uint32_t jpeg_bits_peek(const jpeg_bits *bits, int count) {
  return (uint32_t)(bits->waiting >> (64 - count));
}

/// Leaves bits behind, 0 to 63 of them.
static inline void jpeg_bits_pass(jpeg_bits *bits, int count) {
  bits->waiting <<= count;
  bits->count -= count;
}

#endif
