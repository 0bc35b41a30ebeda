// Reading JPEG files row by row, by libjpeg's own interface, which reports errors by longjmp and so must not be called
// from Swift.
#ifndef JPEG_ROWS_H
#define JPEG_ROWS_H

#include <stddef.h>
#include <stdint.h>

/// One file that is read.
typedef struct jpeg_rows jpeg_rows;

/// How a call went.
typedef enum jpeg_rows_status {
  JPEG_ROWS_OK = 0,
  /// The file cannot be read any further; jpeg_rows_message() says why.
  JPEG_ROWS_DAMAGED = 1,
  JPEG_ROWS_OUT_OF_MEMORY = 2,
  /// Our own reader of codes met what it does not know. The file is to be read anew, by libjpeg's.
  JPEG_ROWS_UNUSUAL = 3,
} jpeg_rows_status;

/// What the file's header says.
typedef struct jpeg_rows_frame {
  uint32_t width;
  uint32_t height;
  /// Whether the pixels are four inks rather than grey or three colours.
  int is_ink;
  /// Whether all coefficients are kept until the last scan has come.
  int has_several_scans;
  /// The bytes that these coefficients take.
  uint64_t coefficient_bytes;
} jpeg_rows_frame;

/// Makes a reader of a file in memory, which must stay until the reader is closed. The C functions are
/// jpeg_create_decompress and jpeg_mem_src.
///
/// @return NULL where the memory is out.
jpeg_rows *jpeg_rows_open(const uint8_t *bytes, size_t count);

/// Frees all memory. The C function is jpeg_destroy_decompress.
void jpeg_rows_close(jpeg_rows *reader);

/// Reads the header. The C function is jpeg_read_header.
jpeg_rows_status jpeg_rows_header(jpeg_rows *reader, jpeg_rows_frame *frame);

/// Gets ready for pixels at so many eighths of the file's size: R, G, B and 255, or four inks.
///
/// With several scans the coefficients are to be read next, by jpeg_rows_read_coefficients(), and then
/// jpeg_rows_show_coefficients() called. The C function is jpeg_start_decompress.
///
/// @param kept_side with several scans: of how many rows and columns of a block's 8 x 8 coefficients memory is kept.
/// @param reads_codes whether codes are read by our own reader, where it knows the file's kind: for pictures of an eighth.
jpeg_rows_status jpeg_rows_begin(
    jpeg_rows *reader, int eighths, int kept_side, int reads_codes, uint32_t *width, uint32_t *height);

/// What a step of reading coefficients came to.
typedef enum jpeg_rows_step {
  JPEG_ROWS_MORE = 0,
  JPEG_ROWS_SCAN_COMPLETE = 1,
  JPEG_ROWS_END = 2,
} jpeg_rows_step;

/// Reads a row of blocks. The C function is jpeg_consume_input, in buffered-image mode.
jpeg_rows_status jpeg_rows_read_coefficients(jpeg_rows *reader, jpeg_rows_step *step);

/// Makes the pixels of what has come so far the ones that are read. The C function is jpeg_start_output.
jpeg_rows_status jpeg_rows_show_coefficients(jpeg_rows *reader);

/// Passes over rows, which costs less than to read them. The C function is jpeg_skip_scanlines.
jpeg_rows_status jpeg_rows_skip(jpeg_rows *reader, uint32_t count);

/// Reads up to so many rows.
///
/// @param done how many were read: at least one unless there are no more. The C function is jpeg_read_scanlines.
jpeg_rows_status jpeg_rows_read(
    jpeg_rows *reader, uint8_t *pixels, size_t bytes_per_row, uint32_t count, uint32_t *done);

/// How often libjpeg had to guess.
long jpeg_rows_warnings(const jpeg_rows *reader);

/// What went wrong last, until the reader is closed.
const char *jpeg_rows_message(const jpeg_rows *reader);

#endif
