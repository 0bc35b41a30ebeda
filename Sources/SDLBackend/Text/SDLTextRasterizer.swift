package import VitrineGeometry
package import VitrineRendering
import VitrineThreads

/// A text rasteriser with FreeType, HarfBuzz, Pango and SDL2_ttf.
///
/// A line in Latin, Greek or Cyrillic letters that the style's primary font covers is set in that font, immediately. All
/// other lines are laid out by Pango in the fonts that fontconfig finds for each character, and painted on another thread
/// (``TextLayoutThread``). The baseline and height are always those of the primary font, so that adjacent texts align.
///
/// Fonts are opened on first use, and the font library with the first of them, because the first frame may have no
/// text. After ``close()``, no text is painted.
package final class SDLTextRasterizer: TextRasterizer {
  /// The maximum width of a painted line in pixels, which every renderer supports as the width of a texture.
  private static let maximumLineWidth = 8_192
  private static let maximumFaces = 64
  /// The maximum font size in pixels for which letters are rasterised in advance.
  private static let maximumPreparedSize = 32

  /// A message for the user if text may be missing or look different, or nil.
  package var warning: String? { ownWarning ?? textThread?.warning }
  private var ownWarning: String?
  private let renderThreadCheck = RenderThreadDecodeCounter()
  private var session: FontSession?
  private var library: FreeTypeLibrary?
  private let cachesGlyphs: Bool
  private var isClosed = false
  private let catalogue: FontCatalogue
  private var filesByWeight: [TextStyle.Weight: [String]] = [:]
  private var faces: [FaceKey: FontFace?] = [:]
  private var fontData: [String: FontData] = [:]
  private var widths = MeasurementCache()
  /// The thread for lines with several fonts, from the first of them.
  private var textThread: TextLayoutThread?

  private nonisolated struct FaceKey: Hashable {
    let path: String
    let pixelSize: Int
  }

  /// Creates a rasteriser without opening any font.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue of font files.
  ///   - cachesGlyphs: Whether glyphs are rasterised once and cached. If false, SDL_ttf paints each line from scratch.
  package init(catalogue: FontCatalogue = FontCatalogue(), cachesGlyphs: Bool = true) {
    self.catalogue = catalogue
    self.cachesGlyphs = cachesGlyphs
  }

  package func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics {
    let size = pixelSize(style, scale)
    guard let face = primaryFace(style, size) else {
      // The metrics of a common sans serif, so that a layout without fonts is similar to one with fonts.
      let ascent = Int((Double(size) * 0.95).rounded())
      let descent = Int((Double(size) * 0.25).rounded())
      return TextMetrics(ascent: ascent, descent: descent, lineHeight: ascent + descent)
    }
    return TextMetrics(
      ascent: face.ascent, descent: face.descent, lineHeight: max(face.lineSkip, face.ascent + face.descent))
  }

  package func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
    let key = MeasurementCache.Key(text: text, style: style, scale: scale)
    if let width = widths.width(for: key) { return width }
    let bounded = min(measuredWidth(text, style, pixelSize(style, scale)), SDLTextRasterizer.maximumLineWidth)
    widths.insertWidth(bounded, for: key)
    return bounded
  }

  private func measuredWidth(_ text: String, _ style: TextStyle, _ size: Int) -> Int {
    let caption = SanitizedText(text)
    guard let primary = primaryFace(style, size) else { return 0 }
    guard isSimple(caption, style, primary) else {
      return line(for: caption, style, size).map { layoutThread.width(of: $0) } ?? 0
    }
    var width = 0
    for run in runs(of: caption, style, primary) { width += primary.width(of: run) }
    return width
  }

  package func needsLayout(_ text: String, style: TextStyle, scale: DisplayScale) -> Bool {
    needsLayout(text, style: style, pixelSize(style, scale))
  }

  package func truncatedText(
    _ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: LineBreakMode
  ) -> String {
    // A line that is painted unchanged in one font with known glyph positions.
    if !style.hasMonospacedDigits, !style.needsOtherFont,
      text.utf8.count <= SanitizedText.maximumScalars,
      LineTruncator.canTruncate(text), let primary = primaryFace(style, pixelSize(style, scale)), primary.hasEllipsis,
      let result = primary.truncatedText(
        text, width: width, maximumWidth: SDLTextRasterizer.maximumLineWidth, truncation: truncation)
    {
      return result
    }
    return truncation.truncatedText(text, width: width) { self.width(of: $0, style: style, scale: scale) }
  }

  package func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
    let size = pixelSize(style, scale)
    let caption = SanitizedText(text)
    guard !caption.string.isEmpty, let primary = primaryFace(style, size) else { return nil }
    guard isSimple(caption, style, primary) else {
      return line(for: caption, style, size).flatMap { layoutThread.renderWithoutColors($0)?.bitmap }
    }
    var painted = LineComponents()
    var width = 0
    for run in runs(of: caption, style, primary) { width += primary.paintRun(run, atX: width, into: &painted) }
    let metrics = metrics(style, scale: scale)
    let bounded = min(width, SDLTextRasterizer.maximumLineWidth)
    guard let extent = PixelSize(width: bounded, height: metrics.ascent + metrics.descent) else { return nil }
    do {
      return try Bitmap(size: extent, isOpaque: false) {
        TextCoverage(size: extent, in: $0).paintLine(painted, baseline: metrics.ascent)
      }
    } catch {
      ownWarning = "text is missing: \(error)"
      return nil
    }
  }

  package func prepareGlyph(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale) {
    let size = pixelSize(style, scale)
    // Larger letters would evict those in use.
    guard size <= SDLTextRasterizer.maximumPreparedSize else { return }
    primaryFace(style, size)?.prepareGlyph(letter)
  }

  package func startRendering(
    of request: LineRequest, completion: @escaping @Sendable (RenderedLine?) -> Void
  ) -> Bool {
    if let text = request.styledText { return startRendering(of: text, request, completion) }
    let size = pixelSize(request.style, request.scale)
    guard needsLayout(request.text, style: request.style, size) else { return false }
    guard var line = line(for: SanitizedText(request.text), request.style, size) else {
      completion(nil)
      return true
    }
    line.request.overflow = .truncated(request.truncation, width: request.maximumWidth)
    layoutThread.startPainting(line, completion: completion)
    return true
  }

  private func startRendering(
    of text: StyledText, _ request: LineRequest, _ completion: @escaping @Sendable (RenderedLine?) -> Void
  ) -> Bool {
    guard var line = line(for: text.singleLine, request.scale) else {
      completion(nil)
      return true
    }
    line.request.overflow = .truncated(request.truncation, width: request.maximumWidth)
    layoutThread.startPainting(line, completion: completion)
    return true
  }

  package func width(of text: StyledText, scale: DisplayScale) -> Int {
    // One font lays out a line as it does in a label of one style, and measurements are cached.
    if let run = text.runs.first, text.runs.count == 1, text.direction != .rightToLeft,
      !needsLayout(text.string, style: run.style, scale: scale)
    {
      return width(of: text.string, style: run.style, scale: scale)
    }
    return line(for: text, scale).map { layoutThread.width(of: $0) } ?? 0
  }

  package func geometry(of text: StyledText, scale: DisplayScale) -> LineGeometry {
    line(for: text, scale).map(geometry) ?? LineGeometry(characters: [])
  }

  package func registerFonts(atPath path: String) -> Bool {
    guard !isClosed else { return false }
    if library == nil { library = try? FreeTypeLibrary() }
    guard let library, (try? FreeTypeFace(path: path, data: nil, pixelSize: 16, library: library)) != nil else {
      return false
    }
    layoutThread.registerFonts(atPath: path)
    return true
  }

  package func geometry(of text: String, style: TextStyle, scale: DisplayScale) -> LineGeometry {
    let size = pixelSize(style, scale)
    guard needsLayout(text, style: style, size), let line = line(for: SanitizedText(text), style, size) else {
      // A line in one font: measuring its beginnings is fast, because they share their words.
      return LineGeometry(advances: [0] + text.indices.map { measuredWidth(String(text[...$0]), style, size) })
    }
    return geometry(line)
  }

  private func geometry(_ line: TextLayoutThread.Line) -> LineGeometry {
    let caption = line.request.text
    let offsets = caption.indices.map { caption.utf8.distance(from: caption.startIndex, to: $0) }
    return layoutThread.lines(of: line).first?.geometry(at: offsets + [caption.utf8.count])
      ?? LineGeometry(characters: [])
  }

  package func lineBreakOffsets(in text: String) -> [Int] {
    guard !TextComplexity.isSimple(text), !isClosed, let boundaries = layoutThread.boundaries(of: text) else {
      return LineBreakRules.offsets(in: text)
    }
    let end = boundaries.count - 1
    let offsets = boundaries.indices.filter { $0 > 0 && $0 < end && boundaries[$0].contains(.lineBreak) }
    return end > 0 ? offsets + [end] : []
  }

  /// The counts of decoded emoji images, or nil if no line needed them.
  package var statistics: TextStatistics? { textThread?.statistics }

  /// Closes the fonts and then the font library.
  package func close() {
    isClosed = true
    faces.removeAll()
    textThread?.close()
    fontData.removeAll()
    widths = MeasurementCache()
    session = nil
    library = nil
  }

  // MARK: - Lines in one font

  /// Whether a line is laid out by Pango, rather than set in the style's primary font from left to right.
  private func needsLayout(_ text: String, style: TextStyle, _ size: Int) -> Bool {
    if !style.needsOtherFont, TextComplexity.kind(of: text) == .ascii { return false }
    guard let primary = primaryFace(style, size) else { return false }
    return !isSimple(SanitizedText(text), style, primary)
  }

  /// Whether a line is set in the style's primary font.
  private func isSimple(_ text: SanitizedText, _ style: TextStyle, _ primary: FontFace) -> Bool {
    guard !style.needsOtherFont else { return false }
    return text.isPlain || TextComplexity.kind(of: text.string) != .complex && primary.hasGlyphs(for: text.string)
  }

  /// Returns the runs of a simple line.
  private func runs(of text: SanitizedText, _ style: TextStyle, _ primary: FontFace) -> [TextRun] {
    if text.string.isEmpty { return [] }
    if text.isPlain, !style.hasMonospacedDigits, primary.hasEllipsis { return [.plain(text.string)] }
    return TextRun.runs(of: text.string, hasMonospacedDigits: style.hasMonospacedDigits)
  }

  // MARK: - Lines in several fonts

  private var layoutThread: TextLayoutThread {
    if let textThread { return textThread }
    let folder = catalogue.folder == FontCatalogue.systemFolder ? nil : catalogue.folder
    let thread = TextLayoutThread(folder: folder, renderThreadCheck: renderThreadCheck)
    if isClosed { thread.close() }
    textThread = thread
    return thread
  }

  /// Returns a line to lay out, or nil if it is empty or there is no font.
  private func line(for text: SanitizedText, _ style: TextStyle, _ size: Int) -> TextLayoutThread.Line? {
    let caption = text.string
    guard !isClosed, !caption.isEmpty, let primary = primaryFace(style, size) else { return nil }
    return TextLayoutThread.Line(
      request: LayoutRequest(text: caption, font: font(for: style, size)), ascent: primary.ascent,
      descent: primary.descent, fallbackFile: primary.path)
  }

  /// Returns a line whose parts have styles, or nil if it is empty or there is no font.
  private func line(for text: StyledText, _ scale: DisplayScale) -> TextLayoutThread.Line? {
    guard !isClosed, let first = text.runs.first, let primary = primaryFace(first.style, pixelSize(first.style, scale))
    else { return nil }
    let metrics = metrics(of: text, first.style, scale: scale)
    let styles = text.runs.map { TextLayoutThread.LineStyle(run: $0, pixelSize: pixelSize($0.style, scale)) }
    var request = LayoutRequest(text: text.string, font: font(for: first.style, styles[0].pixelSize))
    request.direction = text.direction
    request.spans = styles.filter { $0.run.style != first.style }.map {
      LayoutRequest.Span(range: $0.run.range, font: font(for: $0.run.style, $0.pixelSize))
    }
    return TextLayoutThread.Line(
      request: request, ascent: metrics.ascent, descent: metrics.descent, fallbackFile: primary.path, styles: styles)
  }

  private func font(for style: TextStyle, _ size: Int) -> FontDescription {
    let family = style.family
    return FontDescription(
      families: (family.map { [$0] } ?? []) + FontCatalogue.families(for: style.design), weight: style.weight.number,
      isItalic: style.isItalic, pixelSize: size, hasMonospacedDigits: style.hasMonospacedDigits,
      requestedFamily: family)
  }

  private func pixelSize(_ style: TextStyle, _ scale: DisplayScale) -> Int {
    min(512, max(1, Int(scale.pixel(style.size))))
  }

  // MARK: - Fonts

  private func primaryFace(_ style: TextStyle, _ size: Int) -> FontFace? {
    for path in fontFiles(for: style.weight) {
      if let face = face(path, size) { return face }
    }
    if ownWarning == nil {
      ownWarning =
        "no text: no font found in \(catalogue.folder); install \(FontCatalogue.packages.joined(separator: ", "))"
    }
    return nil
  }

  private func fontFiles(for weight: TextStyle.Weight) -> [String] {
    if let known = filesByWeight[weight] { return known }
    let found = catalogue.files(for: weight)
    filesByWeight[weight] = found
    return found
  }

  private func face(_ path: String, _ size: Int) -> FontFace? {
    let key = FaceKey(path: path, pixelSize: size)
    if let known = faces[key] { return known }
    guard !isClosed else { return nil }
    if faces.count >= SDLTextRasterizer.maximumFaces { faces.removeAll(keepingCapacity: true) }
    let face = openFace(path, size)
    faces[key] = .some(face)
    return face
  }

  private func openFace(_ path: String, _ size: Int) -> FontFace? {
    do {
      if session == nil { session = try FontSession() }
      if cachesGlyphs, library == nil { library = try? FreeTypeLibrary() }
      if fontData[path] == nil { fontData[path] = FontData(path: path) }
      return try session?.openFace(path, fontData[path], pixelSize: size, library)
    } catch {
      ownWarning = "text may look different: \(error)"
      return nil
    }
  }
}

extension TextStyle.Weight {
  /// The weight as in font files, 400 for regular.
  fileprivate nonisolated var number: Int {
    switch self {
    case .regular: 400
    case .medium: 500
    case .semibold: 600
    case .bold: 700
    case .light: 300
    }
  }
}

extension FontSession {
  fileprivate borrowing func openFace(
    _ path: String, _ data: FontData?, pixelSize: Int, _ library: FreeTypeLibrary?
  ) throws(DisplayError) -> FontFace {
    try FontFace(path: path, data: data, pixelSize: pixelSize, session: self, library: library)
  }
}
