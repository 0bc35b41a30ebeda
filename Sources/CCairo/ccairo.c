#include "CCairo.h"

#include <dlfcn.h>
#include <pthread.h>

// The name of the interface that cairo.h describes.
static const char library_name[] = "libcairo.so.2";

#define FOR_EACH_FUNCTION(each) \
  each(image_surface_create_for_data) each(format_stride_for_width) each(surface_flush) each(surface_destroy) \
  each(surface_status) each(create) each(destroy) each(status) each(get_target) each(matrix_init) each(set_matrix) \
  each(move_to) each(line_to) each(curve_to) each(close_path) each(set_fill_rule) each(set_line_width) \
  each(set_line_cap) each(set_line_join) each(set_miter_limit) each(set_dash) each(fill_extents) \
  each(stroke_extents) each(fill_preserve) each(stroke_preserve) each(set_source_rgba) each(set_source) \
  each(set_source_surface) each(get_source) each(paint) each(pattern_create_linear) each(pattern_create_radial) \
  each(pattern_add_color_stop_rgba) each(pattern_set_filter) each(pattern_destroy)

// cairo's functions, which are set once.
static struct {
#define DECLARE(name) __typeof__(cairo_##name) *name;
  FOR_EACH_FUNCTION(DECLARE)
} cairo;

static int is_loaded;

static void load(void) {
  // Never closed: the libraries that it loads cannot be unloaded.
  void *library = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return;
#define FIND(name) \
  cairo.name = (__typeof__(cairo.name))dlsym(library, "cairo_" #name); \
  if (cairo.name == NULL) return;
  FOR_EACH_FUNCTION(FIND)
  is_loaded = 1;
}

int ccairo_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

cairo_t *ccairo_create(unsigned char *pixels, cairo_format_t format, int width, int height, int bytes_per_row) {
  cairo_surface_t *surface = cairo.image_surface_create_for_data(pixels, format, width, height, bytes_per_row);
  cairo_t *context = cairo.create(surface);
  cairo.surface_destroy(surface);
  if (cairo.status(context) == CAIRO_STATUS_SUCCESS) return context;
  cairo.destroy(context);
  return NULL;
}
int ccairo_destroy(cairo_t *context) {
  int is_valid = cairo.status(context) == CAIRO_STATUS_SUCCESS;
  cairo.surface_flush(cairo.get_target(context));
  cairo.destroy(context);
  return is_valid;
}
int ccairo_stride(cairo_format_t format, int width) { return cairo.format_stride_for_width(format, width); }

void ccairo_set_matrix(cairo_t *context, double a, double b, double c, double d, double tx, double ty) {
  cairo_matrix_t matrix;
  cairo.matrix_init(&matrix, a, b, c, d, tx, ty);
  cairo.set_matrix(context, &matrix);
}
void ccairo_move_to(cairo_t *context, double x, double y) { cairo.move_to(context, x, y); }
void ccairo_line_to(cairo_t *context, double x, double y) { cairo.line_to(context, x, y); }
void ccairo_curve_to(cairo_t *context, double x1, double y1, double x2, double y2, double x3, double y3) {
  cairo.curve_to(context, x1, y1, x2, y2, x3, y3);
}
void ccairo_close_path(cairo_t *context) { cairo.close_path(context); }

void ccairo_set_fill_rule(cairo_t *context, cairo_fill_rule_t rule) { cairo.set_fill_rule(context, rule); }
void ccairo_set_stroke(
  cairo_t *context, double width, cairo_line_cap_t cap, cairo_line_join_t join, double miter_limit,
  const double *dashes, int dash_count, double phase) {
  cairo.set_line_width(context, width);
  cairo.set_line_cap(context, cap);
  cairo.set_line_join(context, join);
  cairo.set_miter_limit(context, miter_limit);
  cairo.set_dash(context, dashes, dash_count, phase);
}
void ccairo_fill_extents(cairo_t *context, double *left, double *top, double *right, double *bottom) {
  cairo.fill_extents(context, left, top, right, bottom);
}
void ccairo_stroke_extents(cairo_t *context, double *left, double *top, double *right, double *bottom) {
  cairo.stroke_extents(context, left, top, right, bottom);
}
void ccairo_fill(cairo_t *context) { cairo.fill_preserve(context); }
void ccairo_stroke(cairo_t *context) { cairo.stroke_preserve(context); }

void ccairo_set_opaque_source(cairo_t *context) { cairo.set_source_rgba(context, 1, 1, 1, 1); }
cairo_pattern_t *ccairo_linear(double x1, double y1, double x2, double y2) {
  return cairo.pattern_create_linear(x1, y1, x2, y2);
}
cairo_pattern_t *ccairo_radial(double x, double y, double radius) {
  return cairo.pattern_create_radial(x, y, 0, x, y, radius);
}
void ccairo_add_stop(cairo_pattern_t *pattern, double location, double red, double green, double blue, double alpha) {
  cairo.pattern_add_color_stop_rgba(pattern, location, red, green, blue, alpha);
}
void ccairo_set_source(cairo_t *context, cairo_pattern_t *pattern) {
  cairo.set_source(context, pattern);
  cairo.pattern_destroy(pattern);
}

void ccairo_paint_image(
  cairo_t *context, unsigned char *pixels, cairo_format_t format, int width, int height, int bytes_per_row) {
  cairo_surface_t *surface = cairo.image_surface_create_for_data(pixels, format, width, height, bytes_per_row);
  cairo.set_source_surface(context, surface, 0, 0);
  cairo.pattern_set_filter(cairo.get_source(context), CAIRO_FILTER_BILINEAR);
  cairo.paint(context);
  // Removes the source's reference to the pixels.
  cairo.set_source_rgba(context, 1, 1, 1, 1);
  cairo.surface_destroy(surface);
}
