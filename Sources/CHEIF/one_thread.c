// A decoder plugin for libheif: libde265 without worker threads.
#include "CHEIF.h"

#include <libde265/de265.h>
#include <libheif/heif_plugin.h>
#include <stdlib.h>
#include <string.h>

static const struct heif_error success = {heif_error_Ok, heif_suberror_Unspecified, "ok"};
static const struct heif_error failure = {
    heif_error_Decoder_plugin_error, heif_suberror_Unspecified, "the HEVC data make no sense"};
static const struct heif_error no_memory = {
    heif_error_Memory_allocation_error, heif_suberror_Unspecified, "out of memory"};

// Converts an error of libde265. Exhausted memory is not an error in the data.
static struct heif_error told(de265_error error) {
  return error == DE265_ERROR_OUT_OF_MEMORY ? no_memory : failure;
}

// The maximum number of rounds, after which an image is assumed to make no progress.
static const long most_rounds = 1L << 24;

static const char *plugin_name(void) { return "libde265 in one thread"; }

static void start(void) { de265_init(); }

static void stop(void) { de265_free(); }

static int priority(enum heif_compression_format format) {
  // libheif's own plugin has priority 100.
  return format == heif_compression_HEVC ? 200 : 0;
}

static struct heif_error open_decoder(void **decoder) {
  *decoder = de265_new_decoder();
  return *decoder ? success : no_memory;
}

static void close_decoder(void *decoder) { de265_free_decoder(decoder); }

static void set_strict(void *decoder, int is_strict) {
  (void)decoder;
  (void)is_strict;
}

// Receives NAL units, each preceded by its length in four bytes.
static struct heif_error push(void *decoder, const void *data, size_t size) {
  const uint8_t *bytes = data;
  size_t position = 0;
  while (size - position >= 4) {
    size_t count = (size_t)bytes[position] << 24 | (size_t)bytes[position + 1] << 16 |
                   (size_t)bytes[position + 2] << 8 | bytes[position + 3];
    position += 4;
    if (count > size - position || count > INT32_MAX) return failure;
    de265_error error = de265_push_NAL(decoder, bytes + position, (int)count, 0, NULL);
    if (!de265_isOK(error)) return told(error);
    position += count;
  }
  return position == size ? success : failure;
}

static struct heif_error copy_plane(
    const struct de265_image *from, int channel, struct heif_image *to, enum heif_channel name) {
  int width = de265_get_image_width(from, channel);
  int height = de265_get_image_height(from, channel);
  int bits = de265_get_bits_per_pixel(from, channel);
  struct heif_error error = heif_image_add_plane(to, name, width, height, bits);
  if (error.code != heif_error_Ok) return error;
  int from_stride = 0;
  int to_stride = 0;
  const uint8_t *source = de265_get_image_plane(from, channel, &from_stride);
  uint8_t *target = heif_image_get_plane(to, name, &to_stride);
  if (!source || !target) return no_memory;
  size_t count = (size_t)width * (bits > 8 ? 2 : 1);
  for (int y = 0; y < height; y++) {
    memcpy(target + (size_t)y * (size_t)to_stride, source + (size_t)y * (size_t)from_stride, count);
  }
  return success;
}

static struct heif_error copy_picture(const struct de265_image *from, struct heif_image **picture) {
  enum heif_chroma chroma = (enum heif_chroma)de265_get_chroma_format(from);
  int is_grey = chroma == heif_chroma_monochrome;
  struct heif_image *to = NULL;
  struct heif_error error = heif_image_create(
      de265_get_image_width(from, 0), de265_get_image_height(from, 0),
      is_grey ? heif_colorspace_monochrome : heif_colorspace_YCbCr, chroma, &to);
  if (error.code != heif_error_Ok) return error;
  static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  for (int channel = 0; channel < (is_grey ? 1 : 3) && error.code == heif_error_Ok; channel++) {
    error = copy_plane(from, channel, to, channels[channel]);
  }
  struct heif_color_profile_nclx *colors = heif_nclx_color_profile_alloc();
  if (colors) {
    // Values that libheif does not support leave its defaults unchanged.
    heif_nclx_color_profile_set_color_primaries(colors, (uint16_t)de265_get_image_colour_primaries(from));
    heif_nclx_color_profile_set_transfer_characteristics(
        colors, (uint16_t)de265_get_image_transfer_characteristics(from));
    heif_nclx_color_profile_set_matrix_coefficients(colors, (uint16_t)de265_get_image_matrix_coefficients(from));
    colors->full_range_flag = (uint8_t)de265_get_image_full_range_flag(from);
    heif_image_set_nclx_color_profile(to, colors);
    heif_nclx_color_profile_free(colors);
  }
  if (error.code == heif_error_Ok) {
    *picture = to;
  } else {
    heif_image_release(to);
  }
  return error;
}

static struct heif_error decode(void *decoder, struct heif_image **picture) {
  *picture = NULL;
  de265_error error = de265_flush_data(decoder);
  if (!de265_isOK(error)) return told(error);
  int more = 1;
  for (long round = 0; more && round < most_rounds; round++) {
    more = 0;
    // An error ends the loop, but is returned only if there is no image.
    error = de265_decode(decoder, &more);
    if (!de265_isOK(error)) break;
    const struct de265_image *image = de265_peek_next_picture(decoder);
    if (image) return copy_picture(image, picture);
  }
  const struct de265_image *image = de265_peek_next_picture(decoder);
  return image ? copy_picture(image, picture) : told(error);
}

static const struct heif_decoder_plugin plugin = {
    .plugin_api_version = 3,
    .get_plugin_name = plugin_name,
    .init_plugin = start,
    .deinit_plugin = stop,
    .does_support_format = priority,
    .new_decoder = open_decoder,
    .free_decoder = close_decoder,
    .push_data = push,
    .decode_image = decode,
    .set_strict_decoding = set_strict,
    .id_name = "libde265-one-thread",
};

int cheif_decode_in_one_thread(void) {
  struct heif_error error = heif_register_decoder_plugin(&plugin);
  return error.code == heif_error_Ok ? 0 : 1;
}
