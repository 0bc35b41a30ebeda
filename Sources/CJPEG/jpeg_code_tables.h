// What the bits of a JPEG file's Huffman codes mean (ITU-T T.81, annex C and F.2.2).
#ifndef JPEG_CODE_TABLES_H
#define JPEG_CODE_TABLES_H

#include <stdint.h>

/// Bits that are looked up at once.
enum { JPEG_CODE_LOOK = 12 };
/// Bits that a code and the number behind it take, at most.
enum { JPEG_CODE_MOST_BITS = 16 + 15 };
/// What a block's end adds to the place of its next coefficient, 1 to 63.
enum { JPEG_CODE_END = 128 };

/// Codes one after the other.
typedef struct jpeg_code_table {
  /// What the bits begin with: a code's length in the lowest byte and its symbol above it; 0 where it is longer.
  uint16_t codes[1 << JPEG_CODE_LOOK];
  /// The same with the number behind the code: the length of both in the lowest byte, then the noughts before the number
  /// or JPEG_CODE_END, then the number; 0 where they are longer.
  int32_t numbers[1 << JPEG_CODE_LOOK];
  /// Of each length: what the 16 bits from the code's first on are less than, and what is added to get the symbol.
  uint32_t limits[17];
  int32_t offsets[17];
  uint8_t symbols[256];
} jpeg_code_table;

/// As many codes of a block's coefficients at once as the bits hold, with the numbers behind them passed over.
///
/// An entry is the bits that they take, 0 to JPEG_RUN_MOST_BITS, and from the sixth bit on what they add to the place of
/// the next coefficient. Where the sum is 64 or more and jpeg_run_is_end() denies, they are to be looked at one by one.
typedef struct jpeg_run_table {
  uint16_t entries[1 << JPEG_CODE_LOOK];
} jpeg_run_table;

/// Bits that an entry of a table of runs takes, at most.
enum { JPEG_RUN_MOST_BITS = JPEG_CODE_LOOK + 15 };

/// Whether a place, of 64 or more, is that of a block whose end was among the codes.
static inline int jpeg_run_is_end(unsigned place) { return (place & ~63u) == JPEG_CODE_END; }

/// Makes a table of the numbers of codes of each length, 1 to 16, and their symbols.
///
/// @return 0 where there are no such codes.
int jpeg_code_table_fill(jpeg_code_table *table, const uint8_t counts[17], const uint8_t symbols[256]);

/// The code of any length that 16 bits begin with, as an entry of `codes`; 0 where it is none.
unsigned jpeg_code_of(const jpeg_code_table *table, uint32_t bits);

/// Makes the table of runs that belongs to a table of codes.
void jpeg_run_table_fill(jpeg_run_table *table, const jpeg_code_table *codes);

#endif
