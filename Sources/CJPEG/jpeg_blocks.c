#include "jpeg_blocks.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "jpeg_reader.h"

// A strip of complete blocks that libjpeg works on, backed by memory for their lowest coefficients. An image of 50
// megapixels has 150 MB of coefficients; writing one in each block in the first scan would touch every page of them.
struct jpeg_blocks {
  jpeg_blocks *next;
  JDIMENSION blocks_per_row;
  JDIMENSION row_count;
  JDIMENSION strip_rows;
  int side;
  JCOEF *kept;
  JBLOCKARRAY strip;
  JBLOCKROW strip_blocks;
  // The rows in the strip; none while the count is 0.
  JDIMENSION first;
  JDIMENSION count;
  boolean is_changed;
};

static size_t kept_in_block(const jpeg_blocks *blocks) { return (size_t)blocks->side * (size_t)blocks->side; }

static jvirt_barray_ptr request(
    j_common_ptr decoder, int pool, boolean pre_zero, JDIMENSION blocks_per_row, JDIMENSION row_count,
    JDIMENSION strip_rows) {
  (void)pool;
  (void)pre_zero;
  jpeg_rows *reader = jpeg_reader_of(decoder);
  jpeg_blocks *blocks = calloc(1, sizeof *blocks);
  if (blocks == NULL) ERREXIT1(decoder, JERR_OUT_OF_MEMORY, 0);
  blocks->next = reader->blocks;
  reader->blocks = blocks;
  blocks->blocks_per_row = blocks_per_row;
  blocks->row_count = row_count;
  blocks->strip_rows = strip_rows;
  blocks->side = reader->kept_side;
  return (jvirt_barray_ptr)blocks;
}

static void realize(j_common_ptr decoder) {
  for (jpeg_blocks *blocks = jpeg_reader_of(decoder)->blocks; blocks != NULL; blocks = blocks->next) {
    if (blocks->kept != NULL) continue;
    size_t per_row = blocks->blocks_per_row;
    blocks->kept = calloc(per_row * blocks->row_count, kept_in_block(blocks) * sizeof(JCOEF));
    blocks->strip = calloc(blocks->strip_rows, sizeof(JBLOCKROW));
    blocks->strip_blocks = calloc(per_row * blocks->strip_rows, sizeof(JBLOCK));
    if (blocks->kept == NULL || blocks->strip == NULL || blocks->strip_blocks == NULL) {
      ERREXIT1(decoder, JERR_OUT_OF_MEMORY, 1);
    }
    for (JDIMENSION row = 0; row < blocks->strip_rows; row++) blocks->strip[row] = blocks->strip_blocks + row * per_row;
  }
}

static JCOEF *kept_row(const jpeg_blocks *blocks, JDIMENSION row) {
  return blocks->kept + (size_t)row * blocks->blocks_per_row * kept_in_block(blocks);
}

static void put_away(jpeg_blocks *blocks) {
  for (JDIMENSION row = 0; row < blocks->count; row++) {
    JCOEF *kept = kept_row(blocks, blocks->first + row);
    for (JDIMENSION column = 0; column < blocks->blocks_per_row; column++) {
      const JCOEF *block = blocks->strip[row][column];
      for (int y = 0; y < blocks->side; y++) {
        for (int x = 0; x < blocks->side; x++) *kept++ = block[y * DCTSIZE + x];
      }
    }
  }
}

static void take_out(jpeg_blocks *blocks) {
  memset(blocks->strip_blocks, 0, (size_t)blocks->blocks_per_row * blocks->count * sizeof(JBLOCK));
  for (JDIMENSION row = 0; row < blocks->count; row++) {
    const JCOEF *kept = kept_row(blocks, blocks->first + row);
    for (JDIMENSION column = 0; column < blocks->blocks_per_row; column++) {
      JCOEF *block = blocks->strip[row][column];
      for (int y = 0; y < blocks->side; y++) {
        for (int x = 0; x < blocks->side; x++) block[y * DCTSIZE + x] = *kept++;
      }
    }
  }
}

static JBLOCKARRAY show(
    j_common_ptr decoder, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION count, boolean is_writable) {
  jpeg_blocks *blocks = (jpeg_blocks *)array;
  if (count > blocks->strip_rows || first > blocks->row_count || count > blocks->row_count - first ||
      blocks->strip == NULL) {
    ERREXIT(decoder, JERR_BAD_VIRTUAL_ACCESS);
  }
  if (first != blocks->first || count != blocks->count) {
    if (blocks->is_changed) put_away(blocks);
    blocks->first = first;
    blocks->count = count;
    blocks->is_changed = FALSE;
    take_out(blocks);
  }
  if (is_writable) blocks->is_changed = TRUE;
  return blocks->strip;
}

void jpeg_blocks_install(jpeg_rows *reader, int side) {
  reader->kept_side = side;
  struct jpeg_memory_mgr *memory = reader->decoder.mem;
  memory->request_virt_barray = request;
  memory->realize_virt_arrays = realize;
  memory->access_virt_barray = show;
}

void jpeg_blocks_free(jpeg_blocks *blocks) {
  while (blocks != NULL) {
    jpeg_blocks *next = blocks->next;
    free(blocks->kept);
    free(blocks->strip);
    free(blocks->strip_blocks);
    free(blocks);
    blocks = next;
  }
}
