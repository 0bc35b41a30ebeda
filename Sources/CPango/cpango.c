#include "CPango.h"

#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <pango/pangofc-font.h>
#include <pango/pangoft2.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The functions, which are set once. Each library loads the ones that it needs itself.
#define FOR_EACH_FUNCTION(each) \
  each(pango_ft2_font_map_new) each(pango_context_set_base_dir) each(pango_layout_set_auto_dir) \
  each(pango_layout_context_changed) each(pango_fc_font_map_config_changed) each(FcConfigAppFontAddFile) \
  each(FcStrCmpIgnoreCase) each(pango_ft2_font_map_set_resolution) each(pango_font_map_create_context) \
  each(pango_context_set_round_glyph_positions) each(pango_context_set_language) each(pango_language_from_string) \
  each(pango_layout_new) each(pango_layout_set_text) each(pango_layout_set_attributes) \
  each(pango_layout_set_font_description) each(pango_layout_set_width) each(pango_layout_set_ellipsize) \
  each(pango_layout_set_wrap) each(pango_layout_set_single_paragraph_mode) each(pango_layout_get_line_count) \
  each(pango_layout_get_line_readonly) each(pango_layout_line_get_extents) each(pango_font_description_new) \
  each(pango_font_description_free) each(pango_font_description_set_family) each(pango_font_description_set_weight) \
  each(pango_font_description_set_style) each(pango_font_description_set_absolute_size) each(pango_attr_list_new) \
  each(pango_attr_list_unref) each(pango_attr_list_insert) each(pango_attr_font_desc_new) \
  each(pango_attr_font_features_new) each(pango_fc_font_get_pattern) each(pango_get_log_attrs) \
  each(pango_language_get_default) each(g_object_unref) each(FcPatternGetString) each(FcPatternGetInteger) \
  each(FcPatternGetDouble) each(FcPatternGetMatrix) each(FcPatternGetBool) each(FcInitLoadConfig) each(FcConfigDestroy) \
  each(FcConfigAppFontAddDir) each(FcConfigGetFonts) each(pango_fc_font_map_set_config)

static struct {
#define DECLARE(name) __typeof__(name) *name;
  FOR_EACH_FUNCTION(DECLARE)
} functions;

static int is_loaded;

static void load(void) {
  // Never closed: the type system that they use cannot be unloaded.
  const char *names[] = {"libpangoft2-1.0.so.0", "libpango-1.0.so.0", "libfontconfig.so.1", "libgobject-2.0.so.0"};
  void *libraries[4];
  for (int index = 0; index < 4; index++) {
    libraries[index] = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
    if (libraries[index] == NULL) return;
  }
#define FIND(name) \
  for (int index = 0; index < 4 && functions.name == NULL; index++) \
    functions.name = (__typeof__(functions.name))dlsym(libraries[index], #name); \
  if (functions.name == NULL) return;
  FOR_EACH_FUNCTION(FIND)
  is_loaded = 1;
}

int cpango_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

struct cpango_layouter {
  PangoFontMap *fonts;
  PangoContext *context;
  PangoLayout *layout;
  PangoLanguage *language;
  // The configuration of the fonts, which the font map owns, or NULL for that of the system.
  FcConfig *config;
  int direction;
  // The run that is read next, and the one that was read last, of the line that is read.
  GSList *next_run;
  PangoGlyphItem *run;
};

// Whether a configuration, or that of the system, has fonts. Without any, Pango would end the program.
static int has_fonts(FcConfig *config) {
  FcFontSet *system = functions.FcConfigGetFonts(config, FcSetSystem);
  FcFontSet *own = functions.FcConfigGetFonts(config, FcSetApplication);
  return (system != NULL && system->nfont > 0) || (own != NULL && own->nfont > 0);
}

cpango_layouter *cpango_make(const char *folder, const char *language) {
  FcConfig *config = NULL;
  if (folder != NULL) {
    // The rules of the system, without its fonts.
    config = functions.FcInitLoadConfig();
    if (config == NULL) return NULL;
    functions.FcConfigAppFontAddDir(config, (const FcChar8 *)folder);
  }
  cpango_layouter *made = has_fonts(config) ? calloc(1, sizeof(*made)) : NULL;
  if (made == NULL) {
    if (config != NULL) functions.FcConfigDestroy(config);
    return NULL;
  }
  made->fonts = functions.pango_ft2_font_map_new();
  if (config != NULL) {
    functions.pango_fc_font_map_set_config((PangoFcFontMap *)made->fonts, config);
    functions.FcConfigDestroy(config);
  }
  made->config = config;
  // At 72 dots per inch, a point is a pixel.
  functions.pango_ft2_font_map_set_resolution((PangoFT2FontMap *)made->fonts, 72, 72);
  made->context = functions.pango_font_map_create_context(made->fonts);
  functions.pango_context_set_round_glyph_positions(made->context, FALSE);
  made->language = language ? functions.pango_language_from_string(language) : functions.pango_language_get_default();
  functions.pango_context_set_language(made->context, made->language);
  made->layout = functions.pango_layout_new(made->context);
  return made;
}

int cpango_add_fonts(cpango_layouter *layouter, const char *path) {
  if (functions.FcConfigAppFontAddFile(layouter->config, (const FcChar8 *)path) != FcTrue) return 0;
  functions.pango_fc_font_map_config_changed((PangoFcFontMap *)layouter->fonts);
  return 1;
}

static int set_has_family(const FcFontSet *set, const char *family) {
  for (int font = 0; set != NULL && font < set->nfont; font++) {
    FcChar8 *name = NULL;
    for (int index = 0; functions.FcPatternGetString(set->fonts[font], FC_FAMILY, index, &name) == FcResultMatch; index++)
      if (functions.FcStrCmpIgnoreCase(name, (const FcChar8 *)family) == 0) return 1;
  }
  return 0;
}

int cpango_has_family(cpango_layouter *layouter, const char *family) {
  return set_has_family(functions.FcConfigGetFonts(layouter->config, FcSetSystem), family) ||
    set_has_family(functions.FcConfigGetFonts(layouter->config, FcSetApplication), family);
}

void cpango_free(cpango_layouter *layouter) {
  if (layouter == NULL) return;
  functions.g_object_unref(layouter->layout);
  functions.g_object_unref(layouter->context);
  functions.g_object_unref(layouter->fonts);
  free(layouter);
}

static PangoFontDescription *description(const cpango_font *font) {
  PangoFontDescription *made = functions.pango_font_description_new();
  functions.pango_font_description_set_family(made, font->families);
  functions.pango_font_description_set_weight(made, (PangoWeight)font->weight);
  functions.pango_font_description_set_style(made, font->is_italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  functions.pango_font_description_set_absolute_size(made, font->size);
  return made;
}

static void add_attribute(PangoAttrList *list, PangoAttribute *attribute, int start, int end) {
  attribute->start_index = (guint)start;
  attribute->end_index = (guint)end;
  functions.pango_attr_list_insert(list, attribute);
}

static void add_features(PangoAttrList *list, const cpango_font *font, int start, int end) {
  if (font->has_monospaced_digits) add_attribute(list, functions.pango_attr_font_features_new("tnum=1"), start, end);
}

int cpango_lay_out(
  cpango_layouter *layouter, const char *text, int length, const cpango_font *font, const cpango_span *spans,
  int span_count, int width, int mode, int direction
) {
  PangoLayout *layout = layouter->layout;
  if (direction != layouter->direction) {
    layouter->direction = direction;
    functions.pango_context_set_base_dir(
      layouter->context, direction == cpango_right_to_left ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR);
    functions.pango_layout_context_changed(layout);
    functions.pango_layout_set_auto_dir(layout, direction == cpango_natural);
  }
  layouter->next_run = NULL;
  layouter->run = NULL;
  PangoFontDescription *main_font = description(font);
  functions.pango_layout_set_font_description(layout, main_font);
  functions.pango_font_description_free(main_font);
  PangoAttrList *attributes = NULL;
  if (span_count > 0 || font->has_monospaced_digits) {
    attributes = functions.pango_attr_list_new();
    add_features(attributes, font, 0, length);
    for (int index = 0; index < span_count; index++) {
      const cpango_span *span = &spans[index];
      PangoFontDescription *part = description(&span->font);
      add_attribute(attributes, functions.pango_attr_font_desc_new(part), span->start, span->end);
      functions.pango_font_description_free(part);
      add_features(attributes, &span->font, span->start, span->end);
    }
  }
  functions.pango_layout_set_attributes(layout, attributes);
  if (attributes) functions.pango_attr_list_unref(attributes);
  PangoEllipsizeMode ellipsis = mode == cpango_loses_start ? PANGO_ELLIPSIZE_START :
    mode == cpango_loses_middle ? PANGO_ELLIPSIZE_MIDDLE : mode == cpango_loses_end ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE;
  functions.pango_layout_set_ellipsize(layout, ellipsis);
  functions.pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  functions.pango_layout_set_single_paragraph_mode(layout, mode != cpango_wraps);
  functions.pango_layout_set_width(layout, mode == cpango_keeps_all ? -1 : width);
  functions.pango_layout_set_text(layout, text, length);
  return functions.pango_layout_get_line_count(layout);
}

cpango_line cpango_line_at(cpango_layouter *layouter, int index) {
  cpango_line result = {0};
  PangoLayoutLine *line = functions.pango_layout_get_line_readonly(layouter->layout, index);
  if (line == NULL) return result;
  PangoRectangle extents;
  functions.pango_layout_line_get_extents(line, NULL, &extents);
  layouter->next_run = line->runs;
  result.start = line->start_index;
  result.length = line->length;
  result.width = extents.width;
  for (GSList *run = line->runs; run; run = run->next) result.run_count++;
  result.is_right_to_left = line->resolved_dir == PANGO_DIRECTION_RTL || line->resolved_dir == PANGO_DIRECTION_WEAK_RTL;
  return result;
}

cpango_run cpango_next_run(cpango_layouter *layouter) {
  cpango_run result = {.xx = 1, .yy = 1};
  if (layouter->next_run == NULL) return result;
  PangoGlyphItem *run = layouter->next_run->data;
  layouter->run = run;
  layouter->next_run = layouter->next_run->next;
  result.start = run->item->offset;
  result.length = run->item->length;
  result.glyph_count = run->glyphs->num_glyphs;
  result.is_right_to_left = run->item->analysis.level & 1;
  if (run->item->analysis.font == NULL) return result;
  FcPattern *pattern = functions.pango_fc_font_get_pattern((PangoFcFont *)run->item->analysis.font);
  FcChar8 *file = NULL;
  FcMatrix *matrix = NULL;
  FcBool is_emboldened = FcFalse, has_colors = FcFalse;
  if (functions.FcPatternGetString(pattern, FC_FILE, 0, &file) == FcResultMatch) result.file = (const char *)file;
  functions.FcPatternGetInteger(pattern, FC_INDEX, 0, &result.face);
  functions.FcPatternGetDouble(pattern, FC_PIXEL_SIZE, 0, &result.pixel_size);
  if (functions.FcPatternGetMatrix(pattern, FC_MATRIX, 0, &matrix) == FcResultMatch && matrix != NULL) {
    result.xx = matrix->xx;
    result.xy = matrix->xy;
    result.yx = matrix->yx;
    result.yy = matrix->yy;
  }
  functions.FcPatternGetBool(pattern, FC_EMBOLDEN, 0, &is_emboldened);
  functions.FcPatternGetBool(pattern, FC_COLOR, 0, &has_colors);
  result.is_emboldened = is_emboldened == FcTrue;
  result.has_colors = has_colors == FcTrue;
  return result;
}

void cpango_copy_glyphs(cpango_layouter *layouter, cpango_glyph *glyphs) {
  PangoGlyphItem *run = layouter->run;
  if (run == NULL) return;
  int pen = run->start_x_offset;
  for (int index = 0; index < run->glyphs->num_glyphs; index++) {
    const PangoGlyphInfo *info = &run->glyphs->glyphs[index];
    cpango_glyph *glyph = &glyphs[index];
    glyph->is_missing = (info->glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0;
    // Glyph 0 of a font is its box for a missing character.
    glyph->glyph = glyph->is_missing ? 0 : info->glyph;
    if (info->glyph == PANGO_GLYPH_EMPTY) {
      glyph->glyph = UINT32_MAX;
      glyph->is_missing = 0;
    }
    glyph->x = pen + info->geometry.x_offset;
    glyph->y = info->geometry.y_offset - run->y_offset;
    glyph->advance = info->geometry.width;
    glyph->cluster = run->item->offset + run->glyphs->log_clusters[index];
    pen += info->geometry.width;
  }
}

void cpango_find_breaks(cpango_layouter *layouter, const char *text, int length, uint8_t *breaks) {
  memset(breaks, 0, (size_t)length + 1);
  int count = 0;
  for (int offset = 0; offset < length; offset++) count += (text[offset] & 0xC0) != 0x80;
  PangoLogAttr *attributes = calloc((size_t)count + 1, sizeof(*attributes));
  if (attributes == NULL) return;
  functions.pango_get_log_attrs(text, length, -1, layouter->language, attributes, count + 1);
  int character = 0;
  for (int offset = 0; offset <= length; offset++) {
    if (offset < length && (text[offset] & 0xC0) == 0x80) continue;
    const PangoLogAttr *attribute = &attributes[character++];
    breaks[offset] = (uint8_t)(
      (attribute->is_line_break ? 1 : 0) | (attribute->is_mandatory_break ? 2 : 0) |
      (attribute->is_cursor_position ? 4 : 0) | (attribute->is_word_start ? 8 : 0) | (attribute->is_word_end ? 16 : 0));
  }
  free(attributes);
}
