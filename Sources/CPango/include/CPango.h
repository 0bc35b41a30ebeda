// Layout of text by Pango and fontconfig, which are loaded when they are first needed: they need a dozen libraries, and most
// lines are laid out without them.
//
// Debian packages: libpango1.0-dev to compile, libpangoft2-1.0-0 to run.
//
// A layouter is used by one thread at a time. Lengths are in 1024ths of a pixel, offsets in bytes of the text.
#ifndef CPANGO_H
#define CPANGO_H

#include <stdint.h>

// Loads the libraries unless they are loaded, on any thread.
//
// Returns 1, or 0 if a library is not installed or lacks a function.
int cpango_load(void);

// A font map with the layout that was made last.
typedef struct cpango_layouter cpango_layouter;

// Makes a layouter, or returns NULL if there are no fonts. cpango_load() must have returned 1.
//
// folder: the folder with the fonts, or NULL for those that fontconfig is configured for.
// language: the language that chooses between forms of the same character, such as "zh-cn", or NULL for that of the locale.
cpango_layouter *cpango_make(const char *folder, const char *language);

// Adds the fonts of a file to those of the layouter. Returns whether it has any.
int cpango_add_fonts(cpango_layouter *layouter, const char *path);
// Returns whether a font has a name of a family, ignoring case. Examines all fonts.
int cpango_has_family(cpango_layouter *layouter, const char *family);
void cpango_free(cpango_layouter *layouter);

// A font: names of families separated by commas, the weight (400 is regular) and the size of an em.
typedef struct {
  const char *families;
  int weight;
  int is_italic;
  int size;
  int has_monospaced_digits;
} cpango_font;

// A part of the text in another font.
typedef struct {
  int start;
  int end;
  cpango_font font;
} cpango_span;

// What a line that is too long loses.
enum { cpango_keeps_all = 0, cpango_loses_middle = 1, cpango_loses_end = 2, cpango_wraps = 3, cpango_loses_start = 4 };

// The base direction of a text: that of its first letter, or a given one.
enum { cpango_natural = 0, cpango_left_to_right = 1, cpango_right_to_left = 2 };

// Lays out a text in UTF-8 and replaces the layout that was made before.
//
// width: the greatest width of a line, if the mode is not cpango_keeps_all.
// Returns the number of lines, of which there is one unless the mode is cpango_wraps or the text has several paragraphs.
int cpango_lay_out(
  cpango_layouter *layouter, const char *text, int length, const cpango_font *font, const cpango_span *spans,
  int span_count, int width, int mode, int direction);

// A line of the layout.
typedef struct {
  int start;
  int length;
  int width;
  int run_count;
  int is_right_to_left;
} cpango_line;

// A part of a line in one font and direction. Runs are in the order of display, from left to right.
typedef struct {
  // The path of the font's file, which is valid until the next layout, and the index of the face in it.
  const char *file;
  int face;
  // The size of an em in pixels, and the matrix that synthesizes a slant or scales images.
  double pixel_size;
  double xx, xy, yx, yy;
  int is_emboldened;
  int has_colors;
  int is_right_to_left;
  int start;
  int length;
  int glyph_count;
} cpango_run;

// A glyph of a run, from left to right: the position right of the run's start and down from the baseline.
typedef struct {
  uint32_t glyph;
  int is_missing;
  int x;
  int y;
  int advance;
  // The offset of the cluster in the text.
  int cluster;
} cpango_glyph;

// Read the layout that was made last. The index must be less than the count; runs and glyphs are read in order.
cpango_line cpango_line_at(cpango_layouter *layouter, int index);
cpango_run cpango_next_run(cpango_layouter *layouter);
void cpango_copy_glyphs(cpango_layouter *layouter, cpango_glyph *glyphs);

// Writes for each of the length + 1 offsets of a text whether a line may be broken there (1) or must be (2), and whether
// the offset is where a caret can be (4), a word starts (8) or ends (16).
void cpango_find_breaks(cpango_layouter *layouter, const char *text, int length, uint8_t *breaks);

#endif
