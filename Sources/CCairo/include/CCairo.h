// cairo, which is loaded when the first path is drawn: it needs libraries of X, and few programs draw paths.
//
// Debian packages: libcairo2-dev to compile, libcairo2 to run.
//
// A function named ccairo_x calls the cairo functions that its comment names. It must not be called unless ccairo_load()
// has returned 1.
#ifndef CCAIRO_H
#define CCAIRO_H

#include <cairo/cairo.h>

// Loads cairo unless it is loaded, on any thread.
//
// Returns 1, or 0 if the library is not installed or lacks a function.
int ccairo_load(void);

// Creates a context over pixels of the caller, which must outlive it: cairo_image_surface_create_for_data, cairo_create.
//
// The context owns the surface. Returns NULL if cairo refuses.
cairo_t *ccairo_create(unsigned char *pixels, cairo_format_t format, int width, int height, int bytes_per_row);
// Completes drawing and destroys a context: cairo_surface_flush, cairo_destroy. Returns 1 if nothing failed.
int ccairo_destroy(cairo_t *context);
// Returns the number of bytes of a row: cairo_format_stride_for_width.
int ccairo_stride(cairo_format_t format, int width);

// cairo_set_matrix.
void ccairo_set_matrix(cairo_t *context, double a, double b, double c, double d, double tx, double ty);
// cairo_move_to, cairo_line_to, cairo_curve_to, cairo_close_path.
void ccairo_move_to(cairo_t *context, double x, double y);
void ccairo_line_to(cairo_t *context, double x, double y);
void ccairo_curve_to(cairo_t *context, double x1, double y1, double x2, double y2, double x3, double y3);
void ccairo_close_path(cairo_t *context);

// cairo_set_fill_rule, cairo_set_line_width, cairo_set_line_cap, cairo_set_line_join, cairo_set_miter_limit,
// cairo_set_dash.
void ccairo_set_fill_rule(cairo_t *context, cairo_fill_rule_t rule);
void ccairo_set_stroke(
  cairo_t *context, double width, cairo_line_cap_t cap, cairo_line_join_t join, double miter_limit,
  const double *dashes, int dash_count, double phase);
// cairo_fill_extents, cairo_stroke_extents.
void ccairo_fill_extents(cairo_t *context, double *left, double *top, double *right, double *bottom);
void ccairo_stroke_extents(cairo_t *context, double *left, double *top, double *right, double *bottom);
// cairo_fill_preserve, cairo_stroke_preserve.
void ccairo_fill(cairo_t *context);
void ccairo_stroke(cairo_t *context);

// Sets an opaque source: cairo_set_source_rgba.
void ccairo_set_opaque_source(cairo_t *context);
// Creates a gradient: cairo_pattern_create_linear, cairo_pattern_create_radial.
cairo_pattern_t *ccairo_linear(double x1, double y1, double x2, double y2);
cairo_pattern_t *ccairo_radial(double x, double y, double radius);
// cairo_pattern_add_color_stop_rgba.
void ccairo_add_stop(cairo_pattern_t *pattern, double location, double red, double green, double blue, double alpha);
// Sets a gradient as the source and destroys it: cairo_set_source, cairo_pattern_destroy.
void ccairo_set_source(cairo_t *context, cairo_pattern_t *pattern);

// Paints an image with the current matrix, smoothly: cairo_set_source_surface, cairo_pattern_set_filter, cairo_paint.
void ccairo_paint_image(
  cairo_t *context, unsigned char *pixels, cairo_format_t format, int width, int height, int bytes_per_row);

#endif
