import VitrineDataStructures
import VitrineGeometry
import VitrineRendering
import VitrineThreads

/// A thread that lays out and paints lines which need more than one font, several directions or colours.
///
/// Finding the fonts of the first line takes some 20 ms, and decoding and scaling an image of an emoji about 0.2 ms, which
/// is too long for a frame. Once the fonts are open, a line takes some 20 µs to lay out.
nonisolated final class TextLayoutThread: Sendable {
  /// A line to paint.
  struct Line: Sendable {
    /// The text and its fonts.
    var request: LayoutRequest
    /// The distance from the top of the line to the baseline, in pixels.
    var ascent: Int
    /// The distance from the baseline to the bottom.
    var descent: Int
    /// The font file that paints the line, possibly with boxes, if the layouter cannot be opened.
    var fallbackFile: String
    /// The runs of a text whose parts have styles and colours, with their sizes in pixels; none for other texts.
    var styles: [LineStyle] = []
  }

  /// A part of a line with its style.
  struct LineStyle: Sendable {
    /// The part and its colours.
    var run: StyledText.Run
    /// The size in pixels.
    var pixelSize: Int
  }

  private struct Job: Sendable {
    let line: Line
    let completion: @Sendable (RenderedLine?) -> Void
  }

  private struct State {
    var jobs = Deque<Job>()
    var isClosed = false
    var statistics = TextStatistics()
    var warning: String?
    var thread: WorkerThread?
    /// The font files that the program registered, until the layouter knows them.
    var newFontFiles: [String] = []
  }

  /// The fonts, which one thread uses at a time.
  private struct Fonts {
    /// The layouter: nil before the first line, and `.some(nil)` if there is none.
    var layouter: PangoLayouter??
    var painter: LayoutPainter
    /// The families that lines named.
    var namedFamilies: Set<String> = []
  }

  private let folder: String?
  private let renderThreadCheck: RenderThreadDecodeCounter
  private let state = Lock(State())
  private let fonts: Lock<Fonts>

  /// Creates a painter of lines.
  ///
  /// The thread starts with the first line.
  ///
  /// - Parameters:
  ///   - folder: The folder of the fonts, or nil for those that fontconfig is configured for.
  ///   - renderThreadCheck: The counter of images decoded on the render thread.
  init(folder: String?, renderThreadCheck: RenderThreadDecodeCounter) {
    self.folder = folder
    self.renderThreadCheck = renderThreadCheck
    fonts = Lock(Fonts(painter: LayoutPainter(renderThreadCheck: renderThreadCheck)))
  }

  /// Starts to paint a line.
  ///
  /// Lines are painted in the order of the calls.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - completion: Called once with the line, or with nil if it cannot be painted. Not called after ``close()``.
  func startPainting(_ line: Line, completion: @escaping @Sendable (RenderedLine?) -> Void) {
    let hasThread = state.withLock { state in
      guard !state.isClosed else { return true }
      do throws(ThreadError) {
        if state.thread == nil { state.thread = try WorkerThread(name: "text") { [self] in runPainting() } }
        state.jobs.append(Job(line: line, completion: completion))
        return true
      } catch {
        state.warning = "text is missing: \(error)"
        return false
      }
    }
    state.wakeAll()
    if !hasThread { completion(nil) }
  }

  /// The counts of decoded images.
  var statistics: TextStatistics {
    var statistics = state.withLock { $0.statistics }
    statistics.imagesDecodedOnRenderThread = renderThreadCheck.decodeCount
    return statistics
  }

  /// A message for the user if text is missing or looks different, or nil.
  var warning: String? { state.withLock { $0.warning } }

  /// Makes the fonts of a file available to the lines that are laid out from now on.
  func registerFonts(atPath path: String) { state.withLock { $0.newFontFiles.append(path) } }

  /// Discards the waiting lines and ends the thread after the current line.
  func close() {
    let thread = state.withLock { state in
      state.isClosed = true
      state.jobs.removeAll()
      defer { state.thread = nil }
      return state.thread
    }
    state.wakeAll()
    thread?.join()
    fonts.withLock { $0 = Fonts(layouter: .some(nil), painter: LayoutPainter(renderThreadCheck: renderThreadCheck)) }
  }

  // MARK: - Calls from any thread

  /// Returns the lines of a text, after the line that is being painted.
  ///
  /// - Complexity: O(characters). The first call takes some 20 ms, unless a line was painted.
  func lines(of line: Line) -> [LaidOutLine] { fonts.withLock { lines(of: line, &$0) } }

  /// Returns the width of a text in pixels if it is painted as one line.
  func width(of line: Line) -> Int {
    fonts.withLock { fonts in lines(of: line, &fonts).first.map { fonts.painter.width(of: $0) } ?? 0 }
  }

  /// Paints a line on the calling thread.
  ///
  /// - Returns: The line. Nil if it has no width, or glyphs with their own colours, whose images must not be decoded there.
  func renderWithoutColors(_ line: Line) -> RenderedLine? {
    fonts.withLock { fonts -> RenderedLine? in
      guard let first = lines(of: line, &fonts).first, !fonts.painter.hasColors(first) else { return nil }
      return try? fonts.painter.render(first, ascent: line.ascent, descent: line.descent)
    }
  }

  /// Returns the properties of each offset of a text in bytes, or nil if the layouter cannot be opened.
  func boundaries(of text: String) -> [PangoLayouter.Boundary]? {
    fonts.withLock { openLayouter(&$0)?.boundaries(of: text) }
  }

  private func openLayouter(_ fonts: inout Fonts) -> PangoLayouter? {
    if let known = fonts.layouter { return known }
    let layouter = PangoLayouter(folder: folder, language: PangoLayouter.language)
    fonts.layouter = .some(layouter)
    if layouter == nil {
      state.withLock { $0.warning = "some text is missing: install \(PangoLayouter.package) and fonts" }
    }
    return layouter
  }

  private func lines(of line: Line, _ fonts: inout Fonts) -> [LaidOutLine] {
    guard let layouter = openLayouter(&fonts) else {
      return fonts.painter.fallbackLine(of: line.request, file: line.fallbackFile).map { [$0] } ?? []
    }
    addRegisteredFonts(to: layouter, &fonts)
    for font in [line.request.font] + line.request.spans.map(\.font) {
      if let family = font.requestedFamily { checkFamily(family, layouter, &fonts) }
    }
    return layouter.layOut(line.request)
  }

  private func addRegisteredFonts(to layouter: PangoLayouter, _ fonts: inout Fonts) {
    let files = state.withLock { state in
      defer { if !state.newFontFiles.isEmpty { state.newFontFiles = [] } }
      return state.newFontFiles
    }
    for file in files where !layouter.addFonts(atPath: file) {
      state.withLock { $0.warning = $0.warning ?? "text may look different: no fonts were found in \(file)" }
    }
  }

  /// Reports a family without fonts once.
  private func checkFamily(_ name: String, _ layouter: PangoLayouter, _ fonts: inout Fonts) {
    guard fonts.namedFamilies.insert(name).inserted, !FontCatalogue.genericFamilies.contains(name.lowercased()),
      !layouter.hasFamily(name)
    else { return }
    state.withLock { $0.warning = $0.warning ?? "text may look different: the font family \(name) is not installed" }
  }

  // MARK: - Painting thread

  private func runPainting() {
    while let job = nextJob() {
      let (line, decodedCount, cachedBytes) = fonts.withLock { fonts -> (RenderedLine?, Int, Int) in
        let line = render(job.line, &fonts)
        return (line, fonts.painter.decodedImages, fonts.painter.cachedImageBytes)
      }
      let isClosed = state.withLock { state in
        state.statistics.decodedImages = decodedCount
        state.statistics.cachedImageBytes = cachedBytes
        return state.isClosed
      }
      if !isClosed { job.completion(line) }
    }
  }

  private func render(_ line: Line, _ fonts: inout Fonts) -> RenderedLine? {
    guard let first = lines(of: line, &fonts).first else { return nil }
    if !line.styles.isEmpty { return fonts.painter.renderStyled(first, of: line) }
    do {
      let rendered = try fonts.painter.render(first, ascent: line.ascent, descent: line.descent)
      let failure =
        rendered?.layers == .mask && lacksColors(line, &fonts)
        ? "emoji are not in colour: install \(FontCatalogue.emojiPackage)"
        : fonts.painter.fontError.map { "text may look different: \($0)" }
      if let failure { state.withLock { $0.warning = $0.warning ?? failure } }
      return rendered
    } catch {
      state.withLock { $0.warning = "text is missing: \(error)" }
      return nil
    }
  }

  /// Whether a line has emoji, but no font with their colours; those that an ellipsis replaces count too.
  private func lacksColors(_ line: Line, _ fonts: inout Fonts) -> Bool {
    guard TextComplexity.colorEmojiCount(in: line.request.text) > 0 else { return false }
    var whole = line
    whole.request.overflow = .visible
    guard let first = lines(of: whole, &fonts).first else { return false }
    return !fonts.painter.hasColors(first)
  }

  /// Waits for the next line.
  ///
  /// Returns nil when the thread is to end.
  private func nextJob() -> Job? {
    let next: Job?? = state.wait { state in
      if state.isClosed { return .some(nil) }
      return state.jobs.popFirst().map { .some($0) }
    }
    return next.flatMap { $0 }
  }
}

/// The counts of a display's decoded emoji images since it was opened.
package nonisolated struct TextStatistics: Hashable, Sendable {
  /// The number of images decoded on the painting thread.
  public internal(set) var decodedImages = 0
  /// The number of images decoded on the render thread.
  ///
  /// It must be 0.
  public internal(set) var imagesDecodedOnRenderThread = 0
  /// The number of bytes of the images cached for other sizes, at most 8 MiB.
  public internal(set) var cachedImageBytes = 0
}
