// A reader of the Huffman codes of baseline JPEG files that replaces libjpeg's, for results with one pixel per block.
#ifndef JPEG_CODES_H
#define JPEG_CODES_H

#include "jpeg_reader.h"

/// Replaces a decoder's code reader if the file is of a supported kind. Other files are left to libjpeg.
///
/// libjpeg still converts the coefficients to pixels. In components whose blocks become one pixel each, only the DC
/// coefficient is decoded, and the other codes are skipped several at a time. On a violation of the standard, including
/// a truncated file, the reader sets `has_unusual_codes` and jumps to `way_out`. The file must then be read again with
/// libjpeg, whose interpretation counts. Call it after jpeg_start_decompress() and before the first row.
///
/// @return 0 if memory is exhausted.
int jpeg_codes_install(jpeg_rows *reader);

/// Frees the tables. The decoder must already be destroyed.
void jpeg_codes_free(jpeg_codes *codes);

#endif
