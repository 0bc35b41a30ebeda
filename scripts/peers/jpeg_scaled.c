// A peer of `scripts/bench decode`: decodes a JPEG file with libjpeg-turbo at the smallest scale with at least 1.95
// times the side of a thumbnail, and does nothing else.
//
// usage: jpeg_scaled FILE SIZE
// Writes the processor time of the second of two runs in nanoseconds.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <turbojpeg.h>

static long long processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int decode(const char *path, double size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return -1;
  const long length = ftell(file);
  unsigned char *bytes = malloc(length > 0 ? (size_t)length : 1);
  rewind(file);
  const size_t got = bytes == NULL ? 0 : fread(bytes, 1, (size_t)length, file);
  fclose(file);
  tjhandle decoder = tjInitDecompress();
  int width, height, subsampling, colors, status = -1;
  if (got == (size_t)length && decoder != NULL &&
      tjDecompressHeader3(decoder, bytes, got, &width, &height, &subsampling, &colors) == 0) {
    const double ratio = (width > height ? width : height) / size;
    int eighths = 1;
    while (eighths < 8 && ratio * eighths / 8 < 1.95) eighths++;
    const tjscalingfactor scale = {eighths, 8};
    const int scaled_width = TJSCALED(width, scale), scaled_height = TJSCALED(height, scale);
    unsigned char *pixels = malloc((size_t)scaled_width * (size_t)scaled_height * 4);
    if (pixels != NULL) {
      status = tjDecompress2(
          decoder, bytes, got, pixels, scaled_width, scaled_width * 4, scaled_height, TJPF_RGBX, 0);
    }
    free(pixels);
  }
  if (decoder != NULL) tjDestroy(decoder);
  free(bytes);
  return status;
}

int main(int count, char **arguments) {
  if (count != 3 || atoi(arguments[2]) < 1) return 2;
  long long start = 0;
  for (int run = 0; run < 2; run++) {
    start = processor_time();
    if (decode(arguments[1], atoi(arguments[2])) != 0) return 1;
  }
  printf("%lld\n", processor_time() - start);
  return 0;
}
