import CVitrinePango
import Glibc
import VitrineRendering

/// An owner of a Pango layout and its font map, which finds the fonts of a text, its directions and its lines.
///
/// Used by one thread at a time. Pango and fontconfig are loaded for the first layouter, which takes some 10 ms, and the
/// first text in a script takes as long.
nonisolated final class PangoLayouter {
  /// The package of the libraries.
  static let package = "libpangoft2-1.0-0"

  private let layouter: OpaquePointer
  /// The paths of font files, so that equal ones share memory.
  private var paths: [String: String] = [:]

  /// Loads the libraries.
  ///
  /// - Parameters:
  ///   - folder: The folder of the fonts, or nil for those that fontconfig is configured for.
  ///   - language: The language that chooses between forms of the same character, or nil for none.
  /// - Returns: Nil if a library is missing, or if there are no fonts.
  init?(folder: String?, language: String?) {
    guard cpango_load() == 1, let layouter = cpango_make(folder, language) else { return nil }
    self.layouter = layouter
  }

  deinit { cpango_free(layouter) }

  /// The language of the locale, from the environment, such as `zh_CN`; nil for the locale C.
  static var language: String? {
    for variable in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = getenv(variable).map({ String(cString: $0) }), !value.isEmpty else { continue }
      let language = String(value.prefix { $0 != "." && $0 != "@" })
      return ["", "C", "POSIX"].contains(language) ? nil : language
    }
    return nil
  }

  /// Adds the fonts of a file.
  ///
  /// - Returns: Whether the file has fonts.
  func addFonts(atPath path: String) -> Bool { cpango_add_fonts(layouter, path) != 0 }

  /// Returns whether there is a font of a family.
  ///
  /// - Complexity: O(fonts).
  func hasFamily(_ name: String) -> Bool { cpango_has_family(layouter, name) != 0 }

  /// Lays out a text.
  ///
  /// - Returns: The lines: one, unless the text is wrapped.
  /// - Complexity: O(characters).
  func layOut(_ request: LayoutRequest) -> [LaidOutLine] {
    let (width, mode) =
      switch request.overflow {
      case .visible: (0, cpango_keeps_all)
      case .truncated(.byTruncatingMiddle, let width): (width, cpango_loses_middle)
      case .truncated(.byTruncatingTail, let width): (width, cpango_loses_end)
      case .truncated(.byTruncatingHead, let width): (width, cpango_loses_start)
      case .wrapped(let width): (width, cpango_wraps)
      }
    let direction =
      switch request.direction {
      case nil: cpango_natural
      case .leftToRight: cpango_left_to_right
      case .rightToLeft: cpango_right_to_left
      }
    let unitWidth = Int32(max(0, min(width, 1 << 20)) * 1024)
    var text = request.text
    let fonts = [request.font] + request.spans.map(\.font)
    let names = fonts.map { strdup($0.families.joined(separator: ",")) as UnsafeMutablePointer<CChar>? }
    defer { names.forEach { free($0) } }
    let described = zip(fonts, names).map { font, name in
      cpango_font(
        families: UnsafePointer(name), weight: Int32(font.weight), is_italic: font.isItalic ? 1 : 0,
        size: Int32(font.pixelSize * 1024), has_monospaced_digits: font.hasMonospacedDigits ? 1 : 0)
    }
    let spans = zip(request.spans, described.dropFirst()).map { span, font in
      cpango_span(start: Int32(span.range.lowerBound), end: Int32(span.range.upperBound), font: font)
    }
    let count = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        cpango_lay_out(
          layouter, characters.baseAddress, Int32(characters.count), described, spans, Int32(spans.count), unitWidth,
          Int32(mode), Int32(direction))
      }
    }
    return (0..<max(0, count)).map { line(at: $0) }
  }

  private func line(at index: Int32) -> LaidOutLine {
    let line = cpango_line_at(layouter, index)
    var pen = 0
    let runs = (0..<line.run_count).map { _ -> GlyphRun in
      let run = cpango_next_run(layouter)
      let count = Int(run.glyph_count)
      let glyphs = [cpango_glyph](unsafeUninitializedCapacity: count) { memory, initializedCount in
        cpango_copy_glyphs(layouter, memory.baseAddress)
        initializedCount = count
      }
      let start = pen
      for glyph in glyphs { pen += Int(glyph.advance) }
      return GlyphRun(
        font: font(of: run), range: Int(run.start)..<Int(run.start + run.length),
        isRightToLeft: run.is_right_to_left != 0,
        glyphs: glyphs.map {
          LayoutGlyph(
            glyph: $0.glyph == UInt32.max ? nil : $0.glyph, x: start + Int($0.x), y: Int($0.y),
            advance: Int($0.advance), cluster: Int($0.cluster))
        })
    }
    return LaidOutLine(
      range: Int(line.start)..<Int(line.start + line.length), advance: Int(line.width),
      isRightToLeft: line.is_right_to_left != 0, runs: runs)
  }

  private func font(of run: cpango_run) -> GlyphFont? {
    guard let file = run.file else { return nil }
    let path = String(cString: file)
    let sharedPath = paths[path] ?? path
    if paths[path] == nil { paths[path] = path }
    return GlyphFont(
      path: sharedPath, faceIndex: Int(run.face), pixelSize: run.pixel_size,
      synthesis: FontSynthesis(
        matrix: SIMD4(run.xx, run.xy, run.yx, run.yy), isEmboldened: run.is_emboldened != 0),
      hasColors: run.has_colors != 0)
  }

  /// The properties of an offset in a text.
  struct Boundary: OptionSet, Sendable {
    let rawValue: UInt8

    /// A line may be broken before the character at the offset.
    static let lineBreak = Boundary(rawValue: 1)
    /// A line must be broken there.
    static let mandatoryBreak = Boundary(rawValue: 2)
    /// A caret may be there: the offset is not within a grapheme.
    static let caret = Boundary(rawValue: 4)
    /// A word starts there.
    static let wordStart = Boundary(rawValue: 8)
    /// A word ends there.
    static let wordEnd = Boundary(rawValue: 16)
  }

  /// Returns the properties of each offset of a text in bytes, including its end.
  ///
  /// - Complexity: O(bytes).
  func boundaries(of text: String) -> [Boundary] {
    var text = text
    return text.withUTF8 { bytes in
      let flags = [UInt8](unsafeUninitializedCapacity: bytes.count + 1) { memory, count in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          cpango_find_breaks(layouter, characters.baseAddress, Int32(characters.count), memory.baseAddress)
        }
        count = bytes.count + 1
      }
      return flags.map { Boundary(rawValue: $0) }
    }
  }
}
