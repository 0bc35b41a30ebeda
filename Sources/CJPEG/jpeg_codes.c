#include "jpeg_codes.h"

#include <stdlib.h>

#if __has_include(<jpegint.h>)
#include <jpegint.h>

#include "jpeg_bits.h"
#include "jpeg_code_tables.h"

#if JPEG_LIB_VERSION >= 70
#define IS_ONE_PIXEL(component) ((component)->DCT_h_scaled_size == 1 && (component)->DCT_v_scaled_size == 1)
#else
#define IS_ONE_PIXEL(component) ((component)->DCT_scaled_size == 1)
#endif

// The way to read the n-th block of each MCU.
typedef struct block_plan {
  const jpeg_code_table *mean;
  const jpeg_code_table *others;
  const jpeg_run_table *runs;
  // Whether only the DC coefficient is needed.
  int is_one_pixel;
  int component;
} block_plan;

struct jpeg_codes {
  jpeg_bits bits;
  // The predictions of the next block's DC coefficient, per component.
  int means[MAX_COMPS_IN_SCAN];
  unsigned restarts_left;
  unsigned next_restart;
  int block_count;
  block_plan blocks[D_MAX_BLOCKS_IN_MCU];
  jpeg_code_table mean_codes[NUM_HUFF_TBLS];
  jpeg_code_table other_codes[NUM_HUFF_TBLS];
  jpeg_run_table runs[NUM_HUFF_TBLS];
};

// The index in a block of each coefficient in zigzag order.
static const uint8_t places[DCTSIZE2] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

_Noreturn static void give_up(jpeg_rows *reader) {
  reader->has_unusual_codes = 1;
  longjmp(reader->way_out, 1);
}

// Ensures that the given number of bits is available. At the end of the data, the count becomes negative later.
static inline void need(jpeg_rows *reader, jpeg_bits *bits, int count) {
  if (bits->count >= count) return;
  if (bits->count < 0) give_up(reader);
  jpeg_bits_fill(bits);
}

// Decodes a code and its number that are too long for the table, in the form of an entry of `numbers`.
__attribute__((noinline)) static int32_t long_number(jpeg_rows *reader, const jpeg_code_table *table, uint64_t waiting) {
  const unsigned code = jpeg_code_of(table, (uint32_t)(waiting >> 48));
  const int length = code & 255, size = code >> 8 & 15, noughts = code >> 12;
  if (code == 0) give_up(reader);
  int number = 0;
  if (size > 0) {
    number = (int)(waiting << length >> (64 - size));
    if (number < 1 << (size - 1)) number -= (1 << size) - 1;
  }
  const int run = size == 0 && noughts < 15 ? JPEG_CODE_END : noughts;
  return (int32_t)((uint32_t)number << 16 | (uint32_t)run << 8 | (uint32_t)(length + size));
}

__attribute__((always_inline)) static inline int32_t next_number(jpeg_rows *reader, const jpeg_code_table *table, jpeg_bits *bits) {
  need(reader, bits, JPEG_CODE_MOST_BITS);
  int32_t entry = table->numbers[jpeg_bits_peek(bits, JPEG_CODE_LOOK)];
  if (entry == 0) entry = long_number(reader, table, bits->waiting);
  jpeg_bits_pass(bits, entry & 255);
  return entry;
}

__attribute__((always_inline)) static inline void read_others(jpeg_rows *reader, const jpeg_code_table *table, jpeg_bits *bits, JCOEF *block) {
  for (unsigned place = 1; place < DCTSIZE2; place++) {
    const int32_t entry = next_number(reader, table, bits);
    place += entry >> 8 & 255;
    if (place >= DCTSIZE2) {
      if (place < JPEG_CODE_END) give_up(reader);
      return;
    }
    block[places[place]] = (JCOEF)(entry >> 16);
  }
}

// Reads a single code where a run would exceed the block, and returns the next index.
static inline unsigned pass_over_one(
    jpeg_rows *reader, const jpeg_code_table *table, jpeg_bits *bits, unsigned place) {
  place += (unsigned)(next_number(reader, table, bits) >> 8 & 255);
  if (place >= DCTSIZE2 && place < JPEG_CODE_END) give_up(reader);
  return place + 1;
}

__attribute__((always_inline)) static inline void pass_over_others(
    jpeg_rows *reader, const jpeg_code_table *table, const jpeg_run_table *runs, jpeg_bits *bits) {
  unsigned place = 1;
  for (;;) {
    uint64_t last_waiting;
    int last_count;
    unsigned last_place;
    do {
      // Enough for both lookups, so that the branch is usually predicted.
      need(reader, bits, 2 * JPEG_RUN_MOST_BITS);
      for (int turn = 0; turn < 2; turn++) {
        last_waiting = bits->waiting;
        last_count = bits->count;
        last_place = place;
        const unsigned entry = runs->entries[jpeg_bits_peek(bits, JPEG_CODE_LOOK)];
        jpeg_bits_pass(bits, entry & 31);
        place += entry >> 5;
        if (place >= DCTSIZE2) break;
      }
    } while (place < DCTSIZE2);
    if (jpeg_run_is_end(place)) return;
    bits->waiting = last_waiting;
    bits->count = last_count;
    place = pass_over_one(reader, table, bits, last_place);
    if (place >= DCTSIZE2) return;
  }
}

static void restart(jpeg_rows *reader, jpeg_codes *codes) {
  jpeg_bits *bits = &codes->bits;
  jpeg_bits_fill(bits);
  // Fewer than eight bits may be left, and the expected restart marker must follow.
  if (bits->count >= 8 || bits->end - bits->next < 2 || bits->next[0] != 0xFF ||
      bits->next[1] != JPEG_RST0 + codes->next_restart) {
    give_up(reader);
  }
  *bits = (jpeg_bits){.next = bits->next + 2, .end = bits->end};
  codes->next_restart = (codes->next_restart + 1) & 7;
  codes->restarts_left = reader->decoder.restart_interval;
  for (int index = 0; index < MAX_COMPS_IN_SCAN; index++) codes->means[index] = 0;
}

static boolean read_unit(j_decompress_ptr decoder, JBLOCKROW *blocks) {
  jpeg_rows *reader = jpeg_reader_of((j_common_ptr)decoder);
  jpeg_codes *codes = reader->codes;
  if (decoder->restart_interval != 0) {
    if (codes->restarts_left == 0) restart(reader, codes);
    codes->restarts_left--;
  }
  jpeg_bits bits = codes->bits;
  for (int index = 0; index < codes->block_count; index++) {
    const block_plan *plan = &codes->blocks[index];
    const int mean = codes->means[plan->component] + (next_number(reader, plan->mean, &bits) >> 16);
    if (mean < INT16_MIN || mean > INT16_MAX) give_up(reader);
    codes->means[plan->component] = mean;
    if (blocks != NULL) blocks[index][0][0] = (JCOEF)mean;
    if (plan->is_one_pixel || blocks == NULL) {
      pass_over_others(reader, plan->others, plan->runs, &bits);
    } else {
      read_others(reader, plan->others, &bits, blocks[index][0]);
    }
  }
  if (bits.count < 0) give_up(reader);
  codes->bits = bits;
  return TRUE;
}

static int is_known(const struct jpeg_decompress_struct *decoder) {
  return !decoder->progressive_mode && !decoder->arith_code && !decoder->buffered_image &&
         decoder->data_precision == 8 && decoder->unread_marker == 0 &&
         decoder->comps_in_scan == decoder->num_components && decoder->blocks_in_MCU <= D_MAX_BLOCKS_IN_MCU;
}

static const jpeg_code_table *filled(jpeg_code_table *table, const JHUFF_TBL *codes, unsigned *done, int number) {
  if ((*done >> number & 1) != 0) return table;
  *done |= 1u << number;
  return codes != NULL && jpeg_code_table_fill(table, codes->bits, codes->huffval) ? table : NULL;
}

static int plan_blocks(const struct jpeg_decompress_struct *decoder, jpeg_codes *codes) {
  unsigned means = 0, others = 0, runs = 0;
  codes->block_count = decoder->blocks_in_MCU;
  for (int index = 0; index < codes->block_count; index++) {
    block_plan *plan = &codes->blocks[index];
    plan->component = decoder->MCU_membership[index];
    const jpeg_component_info *component = decoder->cur_comp_info[plan->component];
    const int mean = component->dc_tbl_no, other = component->ac_tbl_no;
    if (mean < 0 || mean >= NUM_HUFF_TBLS || other < 0 || other >= NUM_HUFF_TBLS) return 0;
    plan->mean = filled(&codes->mean_codes[mean], decoder->dc_huff_tbl_ptrs[mean], &means, mean);
    plan->others = filled(&codes->other_codes[other], decoder->ac_huff_tbl_ptrs[other], &others, other);
    if (plan->mean == NULL || plan->others == NULL) return 0;
    plan->runs = &codes->runs[other];
    if ((runs >> other & 1) == 0) jpeg_run_table_fill(&codes->runs[other], plan->others);
    runs |= 1u << other;
    plan->is_one_pixel = IS_ONE_PIXEL(component);
  }
  return 1;
}

int jpeg_codes_install(jpeg_rows *reader) {
  struct jpeg_decompress_struct *decoder = &reader->decoder;
  if (!is_known(decoder)) return 1;
  jpeg_codes *codes = malloc(sizeof *codes);
  if (codes == NULL) return 0;
  if (!plan_blocks(decoder, codes)) {
    free(codes);
    return 1;
  }
  const uint8_t *next = decoder->src->next_input_byte;
  codes->bits = (jpeg_bits){.next = next, .end = next + decoder->src->bytes_in_buffer};
  for (int index = 0; index < MAX_COMPS_IN_SCAN; index++) codes->means[index] = 0;
  codes->restarts_left = decoder->restart_interval;
  codes->next_restart = 0;
  reader->codes = codes;
  decoder->entropy->decode_mcu = read_unit;
  return 1;
}

#else

// Without libjpeg's internal header, its code reader stays in use.
int jpeg_codes_install(jpeg_rows *reader) {
  (void)reader;
  return 1;
}

#endif

void jpeg_codes_free(jpeg_codes *codes) { free(codes); }
