// The definition of jpeg_rows.
#ifndef JPEG_READER_H
#define JPEG_READER_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "jpeg_rows.h"

typedef struct jpeg_blocks jpeg_blocks;
typedef struct jpeg_codes jpeg_codes;

struct jpeg_rows {
  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr errors;
  jmp_buf way_out;
  char message[JMSG_LENGTH_MAX];
  int is_out_of_memory;
  // Whether all segments before the first scan are read.
  int has_header;
  // The arrays that store only the lowest coefficients, and the number of a block's rows and columns that they store.
  jpeg_blocks *blocks;
  int kept_side;
  // The code reader of this module, if it is used, and whether it met something that it does not support.
  jpeg_codes *codes;
  int has_unusual_codes;
};

static inline jpeg_rows *jpeg_reader_of(j_common_ptr decoder) { return (jpeg_rows *)decoder->client_data; }

#endif
