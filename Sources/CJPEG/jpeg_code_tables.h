// Lookup tables for a JPEG file's Huffman codes (ITU-T T.81, annex C and F.2.2).
#ifndef JPEG_CODE_TABLES_H
#define JPEG_CODE_TABLES_H

#include <stdint.h>

/// The number of bits in a lookup.
enum { JPEG_CODE_LOOK = 12 };
/// The maximum number of bits of a code and the number after it.
enum { JPEG_CODE_MOST_BITS = 16 + 15 };
/// The value that an end of block adds to the index of the next coefficient, 1 to 63.
enum { JPEG_CODE_END = 128 };

/// A lookup table for single codes.
typedef struct jpeg_code_table {
  /// The code at the start of the bits: its length in the lowest byte and its symbol above it; 0 for a longer code.
  uint16_t codes[1 << JPEG_CODE_LOOK];
  /// The code and the number after it: the length of both in the lowest byte, then the run of zeros before the number
  /// or JPEG_CODE_END, then the number; 0 if they are longer.
  int32_t numbers[1 << JPEG_CODE_LOOK];
  /// For each length: the exclusive upper bound of the 16 bits that start with a code, and the offset from the code to
  /// the index of its symbol.
  uint32_t limits[17];
  int32_t offsets[17];
  uint8_t symbols[256];
} jpeg_code_table;

/// A lookup table for runs of codes, as many as the bits contain, whose numbers are skipped.
///
/// An entry contains the number of bits of the run, 0 to JPEG_RUN_MOST_BITS, and from the sixth bit on the value to add
/// to the index of the next coefficient. If the sum is 64 or more and jpeg_run_is_end() returns 0, read the codes one
/// by one.
typedef struct jpeg_run_table {
  uint16_t entries[1 << JPEG_CODE_LOOK];
} jpeg_run_table;

/// The maximum number of bits of an entry in a table of runs.
enum { JPEG_RUN_MOST_BITS = JPEG_CODE_LOOK + 15 };

/// Returns whether an index of 64 or more results from an end of block.
static inline int jpeg_run_is_end(unsigned place) { return (place & ~63u) == JPEG_CODE_END; }

/// Fills a table from the number of codes of each length, 1 to 16, and their symbols.
///
/// @return 0 if the codes are invalid.
int jpeg_code_table_fill(jpeg_code_table *table, const uint8_t counts[17], const uint8_t symbols[256]);

/// Returns the code of any length at the start of 16 bits, in the form of an entry of `codes`, or 0 if there is none.
unsigned jpeg_code_of(const jpeg_code_table *table, uint32_t bits);

/// Fills the table of runs for a table of codes.
void jpeg_run_table_fill(jpeg_run_table *table, const jpeg_code_table *codes);

#endif
