// Generates the images of `scripts/bench decode`: mosaics of photographs, in the formats and sizes of cameras and
// programs.
//
// usage: pictures FOLDER PHOTOGRAPH...
// Writes into FOLDER, which must exist. Existing files are not replaced.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libheif/heif.h>
#include <vips/vips.h>

enum { COLUMNS = 3, ROWS = 3, TILE_WIDTH = 2888, TILE_HEIGHT = 1928, THUMBNAIL = 320 };
#define GRAIN 3.0

static const char *folder;

static int path_of(const char *name, char path[4096]) {
  snprintf(path, 4096, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

static int fail(void) {
  fprintf(stderr, "pictures: %s", vips_error_buffer());
  return -1;
}

// Returns a photograph, cropped and scaled to the size of a tile.
static VipsImage *tile(const char *photograph) {
  VipsImage *read, *colors, *filled;
  if (vips_thumbnail(
          photograph, &read, TILE_WIDTH, "height", TILE_HEIGHT, "crop", VIPS_INTERESTING_CENTRE, "size", VIPS_SIZE_BOTH,
          NULL)) {
    return NULL;
  }
  if (vips_colourspace(read, &colors, VIPS_INTERPRETATION_sRGB, NULL)) return NULL;
  if (vips_extract_band(colors, &filled, 0, "n", 3, NULL)) return NULL;
  return filled;
}

// Adds the grain that a camera's files have and that takes many bits; the photographs, made for screens, have lost it.
static VipsImage *grained(VipsImage *smooth) {
  VipsImage *grain, *sum, *bytes;
  if (vips_gaussnoise(&grain, smooth->Xsize, smooth->Ysize, "mean", 0.0, "sigma", GRAIN, "seed", 1, NULL)) return NULL;
  if (vips_add(smooth, grain, &sum, NULL) || vips_cast(sum, &bytes, VIPS_FORMAT_UCHAR, NULL)) return NULL;
  VipsImage *colors;
  if (vips_copy(bytes, &colors, "interpretation", VIPS_INTERPRETATION_sRGB, NULL)) return NULL;
  return colors;
}

static VipsImage *mosaic(char **photographs, int count) {
  VipsImage *tiles[COLUMNS * ROWS], *joined, *whole;
  for (int index = 0; index < COLUMNS * ROWS; index++) {
    tiles[index] = tile(photographs[index % count]);
    if (tiles[index] == NULL) return NULL;
  }
  if (vips_arrayjoin(tiles, &joined, COLUMNS * ROWS, "across", COLUMNS, NULL)) return NULL;
  whole = grained(joined);
  return whole == NULL ? NULL : vips_image_copy_memory(whole);
}

static VipsImage *corner(VipsImage *whole, int width, int height) {
  VipsImage *part;
  if (vips_extract_area(whole, &part, 0, 0, width, height, NULL)) return NULL;
  return vips_image_copy_memory(part);
}

// Adds the metadata of a camera: date, orientation and an embedded preview.
static int add_exif(VipsImage *picture) {
  VipsImage *small;
  void *bytes;
  size_t count;
  if (vips_thumbnail_image(picture, &small, 160, NULL)) return -1;
  if (vips_jpegsave_buffer(small, &bytes, &count, "Q", 80, "strip", TRUE, NULL)) return -1;
  vips_image_set_blob_copy(picture, "jpeg-thumbnail-data", bytes, count);
  vips_image_set_int(picture, VIPS_META_ORIENTATION, 1);
  vips_image_set_string(picture, "exif-ifd0-Make", "A camera (A camera, ASCII, 9 components, 9 bytes)");
  vips_image_set_string(
      picture, "exif-ifd2-DateTimeOriginal",
      "2001:02:03 04:05:06 (2001:02:03 04:05:06, ASCII, 20 components, 20 bytes)");
  g_free(bytes);
  g_object_unref(small);
  return 0;
}

static int write_jpeg(VipsImage *picture, const char *name, gboolean is_progressive) {
  char path[4096];
  if (path_of(name, path)) return 0;
  return vips_jpegsave(
      picture, path, "Q", 92, "interlace", is_progressive, "optimize_coding", TRUE, "subsample_mode",
      VIPS_FOREIGN_SUBSAMPLE_ON, NULL);
}

// Converts pixels to an image of libheif.
static struct heif_error image_of(VipsImage *picture, struct heif_image **image) {
  struct heif_error error = heif_image_create(
      picture->Xsize, picture->Ysize, heif_colorspace_RGB, heif_chroma_interleaved_RGB, image);
  if (error.code != 0) return error;
  error = heif_image_add_plane(*image, heif_channel_interleaved, picture->Xsize, picture->Ysize, 8);
  if (error.code != 0) return error;
  int stride;
  uint8_t *pixels = heif_image_get_plane(*image, heif_channel_interleaved, &stride);
  for (int y = 0; y < picture->Ysize; y++) {
    memcpy(pixels + (size_t)y * (size_t)stride, VIPS_IMAGE_ADDR(picture, 0, y), (size_t)picture->Xsize * 3);
  }
  return error;
}

static int write_heic(VipsImage *picture, gboolean with_thumbnail) {
  char path[4096];
  if (path_of(with_thumbnail ? "thumbnail.heic" : "photograph.heic", path)) return 0;
  struct heif_context *context = heif_context_alloc();
  struct heif_encoder *encoder = NULL;
  struct heif_image *whole = NULL;
  struct heif_image_handle *main_handle = NULL, *small_handle = NULL;
  struct heif_error error = heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder);
  if (error.code == 0) {
    heif_encoder_set_lossy_quality(encoder, 70);
    heif_encoder_set_parameter_string(encoder, "preset", "veryfast");
    error = image_of(picture, &whole);
    if (error.code == 0) error = heif_context_encode_image(context, whole, encoder, NULL, &main_handle);
  }
  if (error.code == 0 && with_thumbnail) {
    // libheif scales by dropping pixels instead of averaging them, so the image is scaled before, except for one pixel.
    VipsImage *small;
    struct heif_image *image = NULL;
    if (vips_thumbnail_image(picture, &small, THUMBNAIL + 1, NULL)) return -1;
    VipsImage *copy = vips_image_copy_memory(small);
    if (copy == NULL) return -1;
    error = image_of(copy, &image);
    heif_encoder_set_lossy_quality(encoder, 90);
    if (error.code == 0) {
      error = heif_context_encode_thumbnail(context, image, main_handle, encoder, NULL, THUMBNAIL, &small_handle);
    }
  }
  if (error.code == 0) error = heif_context_write_to_file(context, path);
  if (error.code != 0) fprintf(stderr, "pictures: %s: %s\n", path, error.message);
  return error.code == 0 ? 0 : -1;
}

static int write_others(VipsImage *picture) {
  char path[4096];
  if (!path_of("photograph.png", path) && vips_pngsave(picture, path, "filter", VIPS_FOREIGN_PNG_FILTER_ALL, NULL)) {
    return -1;
  }
  if (!path_of("photograph.webp", path) && vips_webpsave(picture, path, "Q", 85, NULL)) return -1;
  if (!path_of("photograph.avif", path) &&
      vips_heifsave(
          picture, path, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "Q", 70, "effort", 1, NULL)) {
    return -1;
  }
  return write_heic(picture, FALSE) || write_heic(picture, TRUE);
}

int main(int count, char **arguments) {
  if (count < 3 || VIPS_INIT(arguments[0])) return 2;
  folder = arguments[1];
  VipsImage *whole = mosaic(arguments + 2, count - 2);
  if (whole == NULL) return fail(), 1;
  const struct {
    const char *baseline, *progressive;
    int width, height;
  } sizes[] = {
      {"baseline-12.jpg", "progressive-12.jpg", 4000, 3000},
      {"baseline-24.jpg", "progressive-24.jpg", 6000, 4000},
      {"baseline-50.jpg", "progressive-50.jpg", COLUMNS *TILE_WIDTH, ROWS *TILE_HEIGHT},
  };
  for (int index = 0; index < 3; index++) {
    VipsImage *picture = corner(whole, sizes[index].width, sizes[index].height);
    if (picture == NULL || (index == 0 && write_others(picture)) || add_exif(picture) ||
        write_jpeg(picture, sizes[index].baseline, FALSE) || write_jpeg(picture, sizes[index].progressive, TRUE)) {
      return fail(), 1;
    }
    g_object_unref(picture);
  }
  return 0;
}
