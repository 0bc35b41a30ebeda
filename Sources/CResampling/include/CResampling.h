#ifndef CRESAMPLING_H
#define CRESAMPLING_H

#include <stddef.h>
#include <stdint.h>

// The inner loops of a resampler with separate weights for each axis.
//
// Each is compiled twice and selected when the program is loaded: for processors with AVX2, and for all. Both give the
// same result to the last bit.

// The source pixels of one pixel of a resampled line.
typedef struct {
  // The index of the first source pixel.
  ptrdiff_t first;
  // The number of source pixels, at least 1.
  ptrdiff_t count;
  // The index of the first of their weights.
  ptrdiff_t weights;
} resampling_span;

// Sums weighted rows of bytes.
//
// sums: The results, `count` numbers, to each of which 0.5 is added.
// rows: The first byte of the first row.
// bytes_per_row: The distance between two rows.
// weights: A weight for each of `row_count` rows.
void resampling_sum_rows(
    float *sums, size_t count, const uint8_t *rows, size_t bytes_per_row, const float *weights, size_t row_count);

// Sums weighted pixels of a line, and writes them as opaque pixels, rounded down.
//
// line: The pixels, four numbers each.
// spans: The pixels and weights of each of `count` results.
// pixels: The first pixel to write, of four bytes.
// step: The distance in bytes from one result to the next.
void resampling_sum_pixels(
    const float *line, const resampling_span *spans, size_t count, const float *weights, uint8_t *pixels,
    ptrdiff_t step);

#endif
