// Arrays of blocks that store only the lowest coefficients, in place of libjpeg's own.
#ifndef JPEG_BLOCKS_H
#define JPEG_BLOCKS_H

#include "jpeg_reader.h"

/// Makes a decoder store the side x side lowest coefficients of each block and discard the others.
///
/// For results that need no others, from scans that do not refine discarded coefficients. Call it between
/// jpeg_read_header() and jpeg_start_decompress(): it replaces three methods of the decoder's memory manager.
void jpeg_blocks_install(jpeg_rows *reader, int side);

/// Frees the arrays. The decoder must already be destroyed.
void jpeg_blocks_free(jpeg_blocks *blocks);

#endif
