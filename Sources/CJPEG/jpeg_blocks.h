// Arrays of coefficient blocks of which only the lowest are kept, in place of libjpeg's own.
#ifndef JPEG_BLOCKS_H
#define JPEG_BLOCKS_H

#include "jpeg_reader.h"

/// Has a decoder keep the side x side lowest coefficients of each block and forget the others.
///
/// For pixels that need no others, from scans that do not refine what was forgotten. To be called between
/// jpeg_read_header() and jpeg_start_decompress(): it takes the place of three methods of the decoder's memory manager.
void jpeg_blocks_install(jpeg_rows *reader, int side);

/// Frees the arrays, once the decoder is destroyed.
void jpeg_blocks_free(jpeg_blocks *blocks);

#endif
