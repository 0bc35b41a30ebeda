import VitrineDataStructures
import VitrineGeometry
import VitrineRendering
import VitrineThreads

/// A painter of emoji lines on its own thread.
///
/// Decoding and scaling an image takes about 0.2 ms, which is too long for a frame.
nonisolated final class EmojiPainter: Sendable {
  /// A shaped line.
  struct Line: Sendable {
    /// The glyphs, at the font's size.
    let glyphs: [ShapedGlyph]
    /// The scale from the font's size to that of the line.
    let scale: Double
    /// The size of the line in pixels.
    ///
    /// Images that are higher are scaled down.
    let size: PixelSize
  }

  private struct PaintJob: Sendable {
    let line: Line
    let completion: @Sendable (Bitmap?) -> Void
  }

  private struct State {
    var jobs = Deque<PaintJob>()
    var isClosed = false
    var statistics = TextStatistics()
    var warning: String?
    var thread: WorkerThread?
  }

  /// The maximum number of bytes of cached images: those of a screen full of emoji, to scale them to other sizes.
  static let maximumImageBytes = 8 << 20

  private let path: String
  private let renderThreadCheck: RenderThreadDecodeCounter
  private let state = Lock(State())

  /// Creates a painter.
  ///
  /// Its thread starts with the first line.
  ///
  /// - Parameters:
  ///   - path: The path of the font file.
  ///   - renderThreadCheck: The counter of images decoded on the render thread.
  init(path: String, renderThreadCheck: RenderThreadDecodeCounter) {
    self.path = path
    self.renderThreadCheck = renderThreadCheck
  }

  /// Starts to paint a line.
  ///
  /// Lines are painted in the order of the calls.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - completion: Called once with the line, or with nil if it cannot be painted. Not called after ``close()``.
  func startPainting(_ line: Line, completion: @escaping @Sendable (Bitmap?) -> Void) {
    let hasThread = state.withLock { state in
      guard !state.isClosed else { return true }
      do throws(ThreadError) {
        if state.thread == nil { state.thread = try WorkerThread(name: "emoji") { [self] in runPainting() } }
        state.jobs.append(PaintJob(line: line, completion: completion))
        return true
      } catch {
        state.warning = "emoji are missing: \(error)"
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

  /// A message for the user if lines are missing, or nil.
  var warning: String? { state.withLock { $0.warning } }

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
  }

  // MARK: - Painter thread

  private func runPainting() {
    let rasterizer: EmojiRasterizer?
    do throws(DisplayError) {
      rasterizer = try EmojiRasterizer(path: path, renderThreadCheck: renderThreadCheck)
    } catch {
      rasterizer = nil
      state.withLock { $0.warning = "emoji are missing: \(error)" }
    }
    while let job = nextJob() {
      let bitmap: Bitmap?
      do {
        bitmap = try rasterizer?.bitmap(of: job.line)
      } catch {
        bitmap = nil
        state.withLock { $0.warning = "emoji are missing: \(error)" }
      }
      let (decodedCount, cachedBytes) = (rasterizer?.decodedCount ?? 0, rasterizer?.cachedBytes ?? 0)
      let isClosed = state.withLock { state in
        state.statistics.decodedImages = decodedCount
        state.statistics.cachedImageBytes = cachedBytes
        return state.isClosed
      }
      if !isClosed { job.completion(bitmap) }
    }
  }

  /// Waits for the next line.
  ///
  /// Returns nil when the painter is closed.
  private func nextJob() -> PaintJob? {
    let next: PaintJob?? = state.wait { state in
      if state.isClosed { return .some(nil) }
      return state.jobs.popFirst().map { .some($0) }
    }
    return next.flatMap { $0 }
  }
}

/// A rasteriser of emoji lines with a cache of decoded images, for one thread.
private nonisolated final class EmojiRasterizer {
  private let face: FreeTypeColorFace
  private var images = LRUCache<UInt32, ColorGlyphImage>(costLimit: EmojiPainter.maximumImageBytes)
  /// The number of decoded images.
  private(set) var decodedCount = 0

  init(path: String, renderThreadCheck: RenderThreadDecodeCounter) throws(DisplayError) {
    // Each FreeType object belongs to one thread.
    face = try FreeTypeColorFace(path: path, library: FreeTypeLibrary(), renderThreadCheck: renderThreadCheck)
  }

  /// The number of bytes of the cached images.
  var cachedBytes: Int { images.totalCost }

  /// Paints a line with its images centred vertically.
  ///
  /// - Throws: `BitmapError` if the system has no memory.
  /// - Complexity: O(pixels).
  func bitmap(of line: EmojiPainter.Line) throws -> Bitmap {
    let size = line.size
    return try Bitmap(size: size, isOpaque: false) { memory in
      let pixels = memory.bindMemory(to: UInt32.self)
      pixels.update(repeating: Color.clear.packed)
      for glyph in line.glyphs {
        guard let picture = image(of: glyph.glyph) else { continue }
        let scale = min(line.scale, Double(size.height) / Double(picture.height))
        let width = max(1, Int((Double(picture.width) * scale).rounded()))
        let height = max(1, Int((Double(picture.height) * scale).rounded()))
        let left = Int((Double(glyph.x) / 64 * line.scale).rounded())
        let top = (size.height - height) / 2
        picture.forEachScaledPixel(width: width, height: height) { x, y, color in
          guard (0..<size.width).contains(left + x), (0..<size.height).contains(top + y) else { return }
          pixels[(top + y) * size.width + left + x] = UInt32(littleEndian: color.packed)
        }
      }
    }
  }

  /// Returns the image of a glyph from the cache or the font.
  private func image(of glyph: UInt32) -> ColorGlyphImage? {
    if let known = images.value(for: glyph) { return known }
    guard let picture = face.image(of: glyph) else { return nil }
    decodedCount += 1
    images.insert(picture, for: glyph, cost: picture.channels.count)
    return picture
  }
}

/// The counts of a display's decoded emoji images since it was opened.
package nonisolated struct TextStatistics: Hashable, Sendable {
  /// The number of images decoded on the painter's thread.
  public internal(set) var decodedImages = 0
  /// The number of images decoded on the render thread.
  ///
  /// It must be 0.
  public internal(set) var imagesDecodedOnRenderThread = 0
  /// The number of bytes of the images cached for other sizes, at most 8 MiB.
  public internal(set) var cachedImageBytes = 0
}
