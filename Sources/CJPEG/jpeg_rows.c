#include "jpeg_rows.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "jpeg_blocks.h"
#include "jpeg_codes.h"
#include "jpeg_reader.h"

// The number of rows passed to libjpeg per call: as many as it produces from one row of blocks.
enum { ROWS_AT_ONCE = 8 };

static void leave(j_common_ptr decoder) {
  jpeg_rows *reader = jpeg_reader_of(decoder);
  decoder->err->format_message(decoder, reader->message);
  reader->is_out_of_memory = decoder->err->msg_code == JERR_OUT_OF_MEMORY;
  longjmp(reader->way_out, 1);
}

// Counts libjpeg's warnings and records the first message; prints nothing.
static void note_warning(j_common_ptr decoder, int level) {
  jpeg_rows *reader = jpeg_reader_of(decoder);
  if (level >= 0) return;
  // Extraneous bytes between two segments, as after a comment with a wrong length, affect no pixel.
  if (decoder->err->msg_code == JWRN_EXTRANEOUS_DATA && !reader->has_header) return;
  if (decoder->err->num_warnings == 0) decoder->err->format_message(decoder, reader->message);
  decoder->err->num_warnings++;
}

static void say_nothing(j_common_ptr decoder) { (void)decoder; }

static jpeg_rows_status failure(const jpeg_rows *reader) {
  if (reader->has_unusual_codes) return JPEG_ROWS_UNUSUAL;
  return reader->is_out_of_memory ? JPEG_ROWS_OUT_OF_MEMORY : JPEG_ROWS_DAMAGED;
}

jpeg_rows *jpeg_rows_open(const uint8_t *bytes, size_t count) {
  jpeg_rows *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->decoder.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = leave;
  reader->errors.emit_message = note_warning;
  reader->errors.output_message = say_nothing;
  reader->decoder.client_data = reader;
  if (setjmp(reader->way_out)) {
    jpeg_rows_close(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->decoder);
  reader->decoder.client_data = reader;
  jpeg_mem_src(&reader->decoder, bytes, count);
  return reader;
}

void jpeg_rows_close(jpeg_rows *reader) {
  jpeg_destroy_decompress(&reader->decoder);
  jpeg_blocks_free(reader->blocks);
  jpeg_codes_free(reader->codes);
  free(reader);
}

jpeg_rows_status jpeg_rows_header(jpeg_rows *reader, jpeg_rows_frame *frame) {
  struct jpeg_decompress_struct *decoder = &reader->decoder;
  if (setjmp(reader->way_out)) return failure(reader);
  jpeg_read_header(decoder, TRUE);
  reader->has_header = 1;
  frame->width = decoder->image_width;
  frame->height = decoder->image_height;
  frame->is_ink = decoder->jpeg_color_space == JCS_CMYK || decoder->jpeg_color_space == JCS_YCCK;
  frame->has_several_scans = jpeg_has_multiple_scans(decoder);
  frame->coefficient_bytes = 0;
  for (int index = 0; index < decoder->num_components; index++) {
    const jpeg_component_info *component = &decoder->comp_info[index];
    frame->coefficient_bytes +=
        (uint64_t)component->width_in_blocks * component->height_in_blocks * DCTSIZE2 * sizeof(JCOEF);
  }
  return JPEG_ROWS_OK;
}

jpeg_rows_status jpeg_rows_begin(
    jpeg_rows *reader, int eighths, int kept_side, int reads_codes, uint32_t *width, uint32_t *height) {
  struct jpeg_decompress_struct *decoder = &reader->decoder;
  if (setjmp(reader->way_out)) return failure(reader);
  int is_ink = decoder->jpeg_color_space == JCS_CMYK || decoder->jpeg_color_space == JCS_YCCK;
  decoder->out_color_space = is_ink ? JCS_CMYK : JCS_EXT_RGBA;
  decoder->scale_num = (unsigned)eighths;
  decoder->scale_denom = 8;
  decoder->buffered_image = jpeg_has_multiple_scans(decoder);
  if (decoder->buffered_image && kept_side < DCTSIZE) jpeg_blocks_install(reader, kept_side);
  // Block smoothing would estimate details finer than the requested pixels.
  if (decoder->buffered_image) decoder->do_block_smoothing = FALSE;
  jpeg_start_decompress(decoder);
  if (reads_codes && !jpeg_codes_install(reader)) return JPEG_ROWS_OUT_OF_MEMORY;
  *width = decoder->output_width;
  *height = decoder->output_height;
  return JPEG_ROWS_OK;
}

jpeg_rows_status jpeg_rows_read_coefficients(jpeg_rows *reader, jpeg_rows_step *step) {
  if (setjmp(reader->way_out)) return failure(reader);
  switch (jpeg_consume_input(&reader->decoder)) {
    case JPEG_REACHED_EOI: *step = JPEG_ROWS_END; break;
    case JPEG_SCAN_COMPLETED: *step = JPEG_ROWS_SCAN_COMPLETE; break;
    default: *step = JPEG_ROWS_MORE; break;
  }
  return JPEG_ROWS_OK;
}

jpeg_rows_status jpeg_rows_show_coefficients(jpeg_rows *reader) {
  if (setjmp(reader->way_out)) return failure(reader);
  jpeg_start_output(&reader->decoder, reader->decoder.input_scan_number);
  return JPEG_ROWS_OK;
}

jpeg_rows_status jpeg_rows_skip(jpeg_rows *reader, uint32_t count) {
  if (setjmp(reader->way_out)) return failure(reader);
  jpeg_skip_scanlines(&reader->decoder, count);
  return JPEG_ROWS_OK;
}

jpeg_rows_status jpeg_rows_read(
    jpeg_rows *reader, uint8_t *pixels, size_t bytes_per_row, uint32_t count, uint32_t *done) {
  struct jpeg_decompress_struct *decoder = &reader->decoder;
  JSAMPROW rows[ROWS_AT_ONCE];
  *done = 0;
  if (setjmp(reader->way_out)) return failure(reader);
  if (count > ROWS_AT_ONCE) count = ROWS_AT_ONCE;
  for (uint32_t index = 0; index < count; index++) rows[index] = pixels + index * bytes_per_row;
  while (*done < count && decoder->output_scanline < decoder->output_height) {
    uint32_t got = jpeg_read_scanlines(decoder, rows + *done, count - *done);
    if (got == 0) break;
    *done += got;
  }
  return JPEG_ROWS_OK;
}

long jpeg_rows_warnings(const jpeg_rows *reader) { return reader->errors.num_warnings; }

const char *jpeg_rows_message(const jpeg_rows *reader) { return reader->message; }
