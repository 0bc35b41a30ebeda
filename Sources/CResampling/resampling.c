#include "CResampling.h"

#include <string.h>

// A fused multiplication rounds once instead of twice, so that the two versions would differ.
#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__) && defined(__linux__)
#define FOR_EVERY_PROCESSOR __attribute__((target_clones("avx2", "default")))
// The function that selects the version runs before ThreadSanitizer has started, which it would call.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef FOR_EVERY_PROCESSOR
#define FOR_EVERY_PROCESSOR
#endif
#endif
#else
#define FOR_EVERY_PROCESSOR
#endif

// The number of sums that are held in registers.
enum { SUMS_AT_ONCE = 32 };

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_integers __attribute__((vector_size(16)));
typedef uint8_t four_bytes __attribute__((vector_size(4)));

FOR_EVERY_PROCESSOR
void resampling_sum_rows(
    float *restrict sums, size_t count, const uint8_t *restrict rows, size_t bytes_per_row,
    const float *restrict weights, size_t row_count) {
  size_t index = 0;
  for (; index + SUMS_AT_ONCE <= count; index += SUMS_AT_ONCE) {
    float block[SUMS_AT_ONCE];
    for (int lane = 0; lane < SUMS_AT_ONCE; lane++) block[lane] = 0.5f;
    const uint8_t *row = rows + index;
    for (size_t tap = 0; tap < row_count; tap++, row += bytes_per_row) {
      for (int lane = 0; lane < SUMS_AT_ONCE; lane++) block[lane] += weights[tap] * (float)row[lane];
    }
    memcpy(sums + index, block, sizeof block);
  }
  for (; index < count; index++) {
    float sum = 0.5f;
    for (size_t tap = 0; tap < row_count; tap++) sum += weights[tap] * (float)rows[tap * bytes_per_row + index];
    sums[index] = sum;
  }
}

FOR_EVERY_PROCESSOR
void resampling_sum_pixels(
    const float *restrict line, const resampling_span *restrict spans, size_t count, const float *restrict weights,
    uint8_t *restrict pixels, ptrdiff_t step) {
  for (size_t index = 0; index < count; index++, pixels += step) {
    resampling_span span = spans[index];
    const float *from = line + span.first * 4;
    const float *weight = weights + span.weights;
    // Two sums, so that an addition need not wait for the one before.
    four even = {0, 0, 0, 0};
    four odd = {0, 0, 0, 0};
    ptrdiff_t tap = 0;
    for (; tap + 2 <= span.count; tap += 2, from += 8) {
      four a, b;
      memcpy(&a, from, sizeof a);
      memcpy(&b, from + 4, sizeof b);
      even += weight[tap] * a;
      odd += weight[tap + 1] * b;
    }
    if (tap < span.count) {
      four a;
      memcpy(&a, from, sizeof a);
      even += weight[tap] * a;
    }
    four sum = even + odd;
    four zero = {0, 0, 0, 0};
    four most = {255, 255, 255, 255};
    sum = __builtin_elementwise_max(sum, zero);
    sum = __builtin_elementwise_min(sum, most);
    four_bytes bytes = __builtin_convertvector(__builtin_convertvector(sum, four_integers), four_bytes);
    bytes[3] = 255;
    memcpy(pixels, &bytes, sizeof bytes);
  }
}
