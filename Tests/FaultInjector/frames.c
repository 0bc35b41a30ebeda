// Compares two frames, PNG files of one size: frames FRAME OTHER.
//
// The status is 0 if all pixels are equal, 3 if FRAME has a message below the header and the same pictures below that,
// and 1 otherwise, with the part that differs.
#include <spng.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_ROWS = 48, MAXIMUM_MESSAGE_ROWS = 160 };

struct frame {
  uint32_t width, height;
  uint8_t *pixels;
};

static struct frame read_frame(const char *path) {
  struct frame frame = {0};
  struct spng_ihdr header;
  size_t size;
  FILE *file = fopen(path, "rb");
  spng_ctx *context = spng_ctx_new(0);
  if (file == NULL || context == NULL || spng_set_png_file(context, file) != 0 ||
      spng_get_ihdr(context, &header) != 0 || spng_decoded_image_size(context, SPNG_FMT_RGBA8, &size) != 0 ||
      (frame.pixels = malloc(size)) == NULL || spng_decode_image(context, frame.pixels, size, SPNG_FMT_RGBA8, 0) != 0) {
    fprintf(stderr, "frames: cannot read %s\n", path);
    exit(2);
  }
  spng_ctx_free(context);
  fclose(file);
  frame.width = header.width;
  frame.height = header.height;
  return frame;
}

static int rows_are_equal(const struct frame *frame, uint32_t row, const struct frame *other, uint32_t other_row,
                          uint32_t count) {
  const size_t bytes = (size_t)frame->width * 4;
  return memcmp(frame->pixels + row * bytes, other->pixels + other_row * bytes, count * bytes) == 0;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const struct frame frame = read_frame(arguments[1]), other = read_frame(arguments[2]);
  if (frame.width != other.width || frame.height != other.height || frame.height <= HEADER_ROWS + MAXIMUM_MESSAGE_ROWS) {
    printf("the frames have %ux%u and %ux%u pixels\n", frame.width, frame.height, other.width, other.height);
    return 1;
  }
  if (rows_are_equal(&frame, 0, &other, 0, frame.height)) return 0;
  if (rows_are_equal(&frame, 0, &other, 0, HEADER_ROWS)) {
    for (uint32_t rows = 1; rows <= MAXIMUM_MESSAGE_ROWS; rows++) {
      if (rows_are_equal(&frame, HEADER_ROWS + rows, &other, HEADER_ROWS, frame.height - HEADER_ROWS - rows)) return 3;
    }
  }
  uint32_t left = frame.width, top = frame.height, right = 0, bottom = 0;
  for (uint32_t y = 0; y < frame.height; y++) {
    for (uint32_t x = 0; x < frame.width; x++) {
      const size_t index = ((size_t)y * frame.width + x) * 4;
      if (memcmp(frame.pixels + index, other.pixels + index, 4) == 0) continue;
      left = x < left ? x : left;
      right = x > right ? x : right;
      top = y < top ? y : top;
      bottom = y;
    }
  }
  printf("columns %u to %u and rows %u to %u differ\n", left, right, top, bottom);
  return 1;
}
