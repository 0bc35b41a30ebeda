// Reading the Huffman codes of baseline JPEG files without libjpeg, for pictures that show a block as one pixel.
#ifndef JPEG_CODES_H
#define JPEG_CODES_H

#include "jpeg_reader.h"

/// Takes the place of a decoder's reader of codes, where the file is of a kind that it knows.
///
/// What is made of the coefficients stays libjpeg's. Of components whose blocks become one pixel each, only the mean is
/// read, and the codes of the others are passed over several at a time. Anything that is not as the standard says, the
/// end of the file among it, leaves by the reader's way out with `has_unusual_codes` set: then the file is to be read
/// anew by libjpeg, whose word counts. To be called after jpeg_start_decompress(), before the first row.
///
/// @return 0 where the memory is out; of other files nothing is changed.
int jpeg_codes_install(jpeg_rows *reader);

/// Frees the tables, once the decoder is destroyed.
void jpeg_codes_free(jpeg_codes *codes);

#endif
