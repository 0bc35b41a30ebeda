// Reads JPEG files row by row through libjpeg's interface, which reports errors with longjmp and therefore must not be
// called from Swift.
#ifndef JPEG_ROWS_H
#define JPEG_ROWS_H

#include <stddef.h>
#include <stdint.h>

/// A reader of a JPEG file.
typedef struct jpeg_rows jpeg_rows;

/// The result of a call.
typedef enum jpeg_rows_status {
  JPEG_ROWS_OK = 0,
  /// The file cannot be read any further; jpeg_rows_message() describes the reason.
  JPEG_ROWS_DAMAGED = 1,
  JPEG_ROWS_OUT_OF_MEMORY = 2,
  /// The code reader of this module does not support the file. Read the file again with libjpeg's.
  JPEG_ROWS_UNUSUAL = 3,
} jpeg_rows_status;

/// The description of the image in the file's header.
typedef struct jpeg_rows_frame {
  uint32_t width;
  uint32_t height;
  /// Whether the pixels are CMYK rather than grey or three colours.
  int is_ink;
  /// Whether all coefficients are stored until the last scan has been read.
  int has_several_scans;
  /// The size of these coefficients in bytes.
  uint64_t coefficient_bytes;
} jpeg_rows_frame;

/// Creates a reader of a file in memory, which must stay valid until the reader is closed. The C functions are
/// jpeg_create_decompress and jpeg_mem_src.
///
/// @return NULL if memory is exhausted.
jpeg_rows *jpeg_rows_open(const uint8_t *bytes, size_t count);

/// Frees all memory. The C function is jpeg_destroy_decompress.
void jpeg_rows_close(jpeg_rows *reader);

/// Reads the header. The C function is jpeg_read_header.
jpeg_rows_status jpeg_rows_header(jpeg_rows *reader, jpeg_rows_frame *frame);

/// Starts decoding at a scale in eighths of the file's size, to R, G, B and 255, or to CMYK.
///
/// For a file with several scans, read the coefficients next with jpeg_rows_read_coefficients(), then call
/// jpeg_rows_show_coefficients(). The C function is jpeg_start_decompress.
///
/// @param kept_side With several scans: the number of rows and columns of a block's 8 x 8 coefficients to store.
/// @param reads_codes Whether to use this module's code reader if it supports the file. For a scale of one eighth.
jpeg_rows_status jpeg_rows_begin(
    jpeg_rows *reader, int eighths, int kept_side, int reads_codes, uint32_t *width, uint32_t *height);

/// The progress of reading coefficients.
typedef enum jpeg_rows_step {
  JPEG_ROWS_MORE = 0,
  JPEG_ROWS_SCAN_COMPLETE = 1,
  JPEG_ROWS_END = 2,
} jpeg_rows_step;

/// Reads a row of blocks. The C function is jpeg_consume_input, in buffered-image mode.
jpeg_rows_status jpeg_rows_read_coefficients(jpeg_rows *reader, jpeg_rows_step *step);

/// Starts the output of the scans read so far. The C function is jpeg_start_output.
jpeg_rows_status jpeg_rows_show_coefficients(jpeg_rows *reader);

/// Skips rows, which is faster than reading them. The C function is jpeg_skip_scanlines.
jpeg_rows_status jpeg_rows_skip(jpeg_rows *reader, uint32_t count);

/// Reads up to the given number of rows. The C function is jpeg_read_scanlines.
///
/// @param done Receives the number of rows read: at least one, unless there are no more.
jpeg_rows_status jpeg_rows_read(
    jpeg_rows *reader, uint8_t *pixels, size_t bytes_per_row, uint32_t count, uint32_t *done);

/// Returns the number of libjpeg's warnings.
long jpeg_rows_warnings(const jpeg_rows *reader);

/// Returns the message of the last error. It is valid until the reader is closed.
const char *jpeg_rows_message(const jpeg_rows *reader);

#endif
