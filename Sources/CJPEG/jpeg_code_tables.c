#include "jpeg_code_tables.h"

#include <string.h>

// The maximum length of a run without an end of block, so that a run with an end differs from two runs.
enum { LONGEST_RUN = 63, ONE_BY_ONE = 192 };

static void fill_codes(jpeg_code_table *table, uint32_t code, int length, int symbol) {
  const int further = JPEG_CODE_LOOK - length;
  for (uint32_t rest = 0; rest < 1u << further; rest++) {
    table->codes[(code << further) + rest] = (uint16_t)(symbol << 8 | length);
  }
}

static void fill_numbers(jpeg_code_table *table) {
  for (uint32_t bits = 0; bits < 1u << JPEG_CODE_LOOK; bits++) {
    const unsigned code = table->codes[bits];
    const int length = code & 255, size = code >> 8 & 15, noughts = code >> 12;
    if (length == 0 || length + size > JPEG_CODE_LOOK) continue;
    int number = (int)(bits >> (JPEG_CODE_LOOK - length - size)) & ((1 << size) - 1);
    // Numbers that begin with a zero bit are negative.
    if (size > 0 && number < 1 << (size - 1)) number -= (1 << size) - 1;
    const int run = size == 0 && noughts < 15 ? JPEG_CODE_END : noughts;
    table->numbers[bits] = (int32_t)((uint32_t)number << 16 | (uint32_t)run << 8 | (uint32_t)(length + size));
  }
}

int jpeg_code_table_fill(jpeg_code_table *table, const uint8_t counts[17], const uint8_t symbols[256]) {
  memset(table, 0, sizeof *table);
  memcpy(table->symbols, symbols, sizeof table->symbols);
  uint32_t code = 0;
  int index = 0;
  for (int length = 1; length <= 16; length++) {
    table->offsets[length] = index - (int32_t)code;
    for (int left = counts[length]; left > 0; left--, code++, index++) {
      if (index >= 256 || code >= 1u << length) return 0;
      if (length <= JPEG_CODE_LOOK) fill_codes(table, code, length, symbols[index]);
    }
    table->limits[length] = code << (16 - length);
    code <<= 1;
  }
  fill_numbers(table);
  return index > 0;
}

unsigned jpeg_code_of(const jpeg_code_table *table, uint32_t bits) {
  for (int length = 1; length <= 16; length++) {
    if (bits >= table->limits[length]) continue;
    const int32_t index = (int32_t)(bits >> (16 - length)) + table->offsets[length];
    return (unsigned)table->symbols[index & 255] << 8 | (unsigned)length;
  }
  return 0;
}

static uint16_t run_of(const jpeg_code_table *table, uint32_t bits) {
  int taken = 0, run = 0;
  while (taken < JPEG_CODE_LOOK) {
    const unsigned code = table->codes[bits << taken & ((1 << JPEG_CODE_LOOK) - 1)];
    const int length = code & 255, size = code >> 8 & 15, noughts = code >> 12;
    if (length == 0 || taken + length > JPEG_CODE_LOOK) break;
    if (size == 0 && noughts < 15) return (uint16_t)((run + JPEG_CODE_END) << 5 | (taken + length));
    if (run + noughts + 1 > LONGEST_RUN) break;
    taken += length + size;
    run += noughts + 1;
  }
  return (uint16_t)(run == 0 ? ONE_BY_ONE << 5 : run << 5 | taken);
}

void jpeg_run_table_fill(jpeg_run_table *table, const jpeg_code_table *codes) {
  for (uint32_t bits = 0; bits < 1u << JPEG_CODE_LOOK; bits++) table->entries[bits] = run_of(codes, bits);
}
