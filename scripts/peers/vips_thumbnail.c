// A peer of `scripts/bench decode`: makes a thumbnail with libvips, in this process and on one thread.
//
// usage: vips_thumbnail FILE SIZE [whole]
// With "whole" it does not use an embedded thumbnail. Writes the processor time of the second of two runs in
// nanoseconds, because the first includes the initialization of libvips.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vips/vips.h>

static long long processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int make_thumbnail(const char *file, int size, int of_whole) {
  VipsImage *thumbnail;
  if (of_whole) {
    VipsImage *whole = vips_image_new_from_file(file, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    if (whole == NULL || vips_thumbnail_image(whole, &thumbnail, size, "height", size, NULL)) return -1;
    g_object_unref(whole);
  } else if (vips_thumbnail(file, &thumbnail, size, "height", size, NULL)) {
    return -1;
  }
  size_t count;
  void *pixels = vips_image_write_to_memory(thumbnail, &count);
  g_object_unref(thumbnail);
  if (pixels == NULL) return -1;
  g_free(pixels);
  return 0;
}

int main(int count, char **arguments) {
  // libvips prints a warning about the colours of every HEIC file.
  setenv("VIPS_WARNING", "0", 1);
  if (count < 3 || VIPS_INIT(arguments[0])) return 2;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  long long start = 0;
  for (int run = 0; run < 2; run++) {
    start = processor_time();
    if (make_thumbnail(arguments[1], atoi(arguments[2]), count > 3)) {
      fprintf(stderr, "%s", vips_error_buffer());
      return 1;
    }
  }
  printf("%lld\n", processor_time() - start);
  return 0;
}
