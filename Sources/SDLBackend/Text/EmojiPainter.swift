import DataStructures
import Geometry
import Rendering
import Threads

/// Paints lines of emoji on a thread of its own: unpacking a picture takes a quarter of a millisecond, which no frame has.
nonisolated final class EmojiPainter: Sendable {
  /// A line as it was shaped.
  struct Line: Sendable {
    /// Its pictures, in the font's own size.
    let glyphs: [ShapedGlyph]
    /// From the font's size to the line's.
    let scale: Double
    /// The line's extent; pictures that are higher are made smaller.
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

  /// Bytes of pictures that are kept as they were unpacked: those of a screen full of emoji, for another size of them.
  static let maximumImageBytes = 8 << 20

  private let path: String
  private let renderThreadCheck: RenderThreadDecodeCounter
  private let state = Lock(State())

  /// Makes a painter; its thread starts with the first line.
  ///
  /// - Parameters:
  ///   - path: the font.
  ///   - witness: counts pictures that are unpacked on the thread that draws.
  init(path: String, renderThreadCheck: RenderThreadDecodeCounter) {
    self.path = path
    self.renderThreadCheck = renderThreadCheck
  }

  /// Starts to paint a line; lines are painted in the order in which they are started.
  ///
  /// - Parameter completion: called once with the line, or nil where it cannot be painted; never once closed.
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

  /// What was done so far.
  var statistics: TextStatistics {
    var statistics = state.withLock { $0.statistics }
    statistics.unpackedOnDrawingThread = renderThreadCheck.decodeCount
    return statistics
  }

  /// Why lines are missing, in words for people; nil while all is well.
  var warning: String? { state.withLock { $0.warning } }

  /// Ends the thread when it has painted the line at hand; the others are forgotten.
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

  // MARK: On the thread

  private func runPainting() {
    let canvas: EmojiRasterizer?
    do throws(DisplayError) {
      canvas = try EmojiRasterizer(path: path, renderThreadCheck: renderThreadCheck)
    } catch {
      canvas = nil
      state.withLock { $0.warning = "emoji are missing: \(error)" }
    }
    while let job = nextJob() {
      let bitmap: Bitmap?
      do {
        bitmap = try canvas?.bitmap(of: job.line)
      } catch {
        bitmap = nil
        state.withLock { $0.warning = "emoji are missing: \(error)" }
      }
      let (unpacked, kept) = (canvas?.decodedCount ?? 0, canvas?.cachedBytes ?? 0)
      let isClosed = state.withLock { state in
        state.statistics.unpackedPictures = unpacked
        state.statistics.pictureBytes = kept
        return state.isClosed
      }
      if !isClosed { job.completion(bitmap) }
    }
  }

  /// Waits for the next line; nil at the end.
  private func nextJob() -> PaintJob? {
    let next: PaintJob?? = state.wait { state in
      if state.isClosed { return .some(nil) }
      return state.jobs.popFirst().map { .some($0) }
    }
    return next.flatMap { $0 }
  }
}

/// The pictures of a font, and lines painted of them; used by one thread.
private nonisolated final class EmojiRasterizer {
  private let face: FreeTypeColorFace
  private var images = LRUCache<UInt32, ColorGlyphImage>(costLimit: EmojiPainter.maximumImageBytes)
  /// How many pictures were unpacked.
  private(set) var decodedCount = 0

  init(path: String, renderThreadCheck: RenderThreadDecodeCounter) throws(DisplayError) {
    // FreeType's objects are one thread's each.
    face = try FreeTypeColorFace(path: path, library: FreeTypeLibrary(), renderThreadCheck: renderThreadCheck)
  }

  /// Bytes of pictures that are kept.
  var cachedBytes: Int { images.totalCost }

  /// Paints a line, its pictures in the middle of the height.
  ///
  /// - Throws: `BitmapError` when memory is out.
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

  /// The picture of a glyph, unpacked where it was not lately.
  private func image(of glyph: UInt32) -> ColorGlyphImage? {
    if let known = images.value(for: glyph) { return known }
    guard let picture = face.image(of: glyph) else { return nil }
    decodedCount += 1
    images.insert(picture, for: glyph, cost: picture.channels.count)
    return picture
  }
}
