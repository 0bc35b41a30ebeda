#include "jpeg_bits.h"

jpeg_bits jpeg_bits_filled_slowly(jpeg_bits bits) {
  while (bits.count <= 56 && bits.next < bits.end) {
    const uint8_t byte = *bits.next;
    if (byte == 0xFF) {
      if (bits.end - bits.next < 2 || bits.next[1] != 0) break;
      bits.next++;
    }
    bits.next++;
    bits.waiting |= (uint64_t)byte << (56 - bits.count);
    bits.count += 8;
  }
  return bits;
}
