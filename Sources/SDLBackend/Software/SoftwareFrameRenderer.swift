import VitrineDataStructures
package import VitrineGeometry
import VitrinePainting
import VitrineRendering

/// A renderer that draws frames in memory: what differs from the previous frame if its pixels still exist, otherwise
/// everything.
///
/// ``FrameComparison`` finds the differences. If a result is not certain, the frame is drawn completely.
nonisolated final class SoftwareFrameRenderer: FrameRenderer {
  let name = "software"
  let device: String? = nil
  let requestsVsync = false
  let discardsFramesOnPresent = false
  let rendererError: DisplayError? = nil
  let shareableChannelOrder: ChannelOrder? = Canvas.order
  private(set) var statistics = RedrawStatistics()

  private let policy: RedrawPolicy
  private let window: WindowReference
  private var presenter: any FramePresenter
  private let comparison = FrameComparison()
  private let occluders = OccluderList()
  private let stretchPainter = StretchPainter()
  private let layers = LayerStack()
  private let undisplayedRegion = UndisplayedRegion()
  private var canvas: Canvas?
  /// The error because of which nothing is drawn.
  private var failure: DisplayError?
  private var isClosed = false

  /// Creates a renderer of a window, which must be closed before the window is destroyed.
  ///
  /// - Parameters:
  ///   - policy: The part of each frame that is drawn.
  ///   - window: The window.
  ///   - isHeadless: Whether there is no screen.
  /// - Throws: ``DisplayError`` if frames cannot be shown.
  init(_ policy: RedrawPolicy, window: borrowing WindowHandle, isHeadless: Bool) throws(DisplayError) {
    self.policy = policy
    self.window = window.reference
    if isHeadless {
      presenter = HeadlessPresenter(window: self.window)
    } else if let sharedMemoryPresenter = SharedMemoryPresenter(window: self.window) {
      presenter = sharedMemoryPresenter
    } else if self.window.xWindow != nil {
      presenter = try SurfacePresenter(window: self.window)
    } else {
      presenter = try TexturePresenter(window: self.window)
    }
    // While the window is hidden, because a presenter may have to recreate it.
    _ = try currentCanvas()
  }

  var outputSize: PixelRect { isClosed ? .zero : presenter.outputSize }

  func supportsTexture(of size: PixelSize) -> Bool { true }

  func makeTexture(size: PixelSize, isOpaque: Bool) throws(DisplayError) -> Texture {
    try Texture(size: size, isOpaque: isOpaque, order: Canvas.order)
  }

  func invalidate() { comparison.invalidate() }

  func draw(_ list: DisplayList, background: Color, textures: TextureSlots) -> Int {
    let canvas: Canvas
    do throws(DisplayError) {
      canvas = try currentCanvas()
      presenter.waitUntilRead()
      if presenter.hasFailed { try fallBackToSurfacePresenter(for: canvas) }
    } catch {
      // Nothing is shown without pixels or memory. Reading the pixels throws the error.
      failure = error
      return 0
    }
    failure = nil
    if policy == .damage, drawDamage(list, background, canvas, textures) { return 0 }
    statistics.wholeFrames += 1
    undisplayedRegion.add(canvas.extent)
    return makePainter(canvas, textures).paint(list.commands, background: background)
  }

  func present() {
    guard let canvas, failure == nil, !undisplayedRegion.rects.isEmpty else { return }
    if presenter.show(undisplayedRegion.rects, of: canvas) { undisplayedRegion.removeAll() }
  }

  func readPixels() throws(DisplayError) -> Bitmap {
    let action = "read pixels"
    if let failure { throw failure }
    guard let plane = canvas?.plane,
      let size = PixelSize(width: Int(plane.extent.width), height: Int(plane.extent.height))
    else { throw DisplayError(action: action, reason: "the window has none") }
    do {
      return try Bitmap(size: size, isOpaque: true) { plane.copyPixels(into: $0) }
    } catch {
      throw DisplayError(action: action, reason: "\(error)")
    }
  }

  func close() {
    isClosed = true
    presenter.close()
    canvas = nil
  }

  /// Returns the canvas, or a new one if the size of the window changed.
  private func currentCanvas() throws(DisplayError) -> Canvas {
    let extent = outputSize
    if let canvas, canvas.extent == extent { return canvas }
    canvas = nil
    comparison.invalidate()
    undisplayedRegion.removeAll()
    let next = try Canvas(extent: extent)
    do {
      try presenter.setCanvas(next)
    } catch {
      try fallBackToSurfacePresenter(for: next)
    }
    canvas = next
    return next
  }

  /// Falls back to SDL's surface if the X server does not share memory, or no longer does.
  ///
  /// Everything must be shown again.
  private func fallBackToSurfacePresenter(for canvas: Canvas) throws(DisplayError) {
    presenter.close()
    presenter = try SurfacePresenter(window: window)
    try presenter.setCanvas(canvas)
    undisplayedRegion.add(canvas.extent)
  }

  private func makePainter(_ canvas: Canvas, _ textures: TextureSlots) -> PlanePainter {
    PlanePainter(
      canvas.plane, textures: textures, occluders: occluders, stretchPainter: stretchPainter,
      layers: layers)
  }

  /// Draws what differs from the previous frame.
  ///
  /// Returns false if the frame must be drawn completely.
  private func drawDamage(
    _ list: DisplayList, _ background: Color, _ canvas: Canvas, _ textures: TextureSlots
  ) -> Bool {
    // The commands do not show what the pixels of a released texture were.
    guard textures.areLive(list.commands) else {
      comparison.invalidate()
      return false
    }
    guard case .parts(let move) = comparison.compare(list, background: background, output: canvas.extent) else {
      return false
    }
    if let move {
      canvas.movePixels(move)
      undisplayedRegion.add(move.region)
      statistics.movedFrames += 1
    } else {
      statistics.partialFrames += 1
    }
    let painter = makePainter(canvas, textures)
    for part in comparison.damage {
      painter.repaint(part, list.commands, background: background)
      undisplayedRegion.add(part)
      statistics.damagedPixels += part.area
    }
    return true
  }
}

/// The region that was drawn and not shown yet, as a small number of rectangles.
package nonisolated final class UndisplayedRegion {
  /// The maximum number of rectangles.
  package static let maximumRects = 16

  private let buffer = TrivialBuffer<PixelRect>(capacity: maximumRects + 1)

  /// Creates an empty region.
  package init() {}

  /// The rectangles.
  ///
  /// The buffer is valid until the region is changed.
  package var rects: UnsafeBufferPointer<PixelRect> { UnsafeBufferPointer(buffer.elements) }

  /// Adds a rectangle, unless another one contains it.
  ///
  /// If there are too many, they are replaced by their union.
  /// - Complexity: O(``maximumRects``).
  package func add(_ part: PixelRect) {
    guard !part.isEmpty, !rects.contains(where: { $0.contains(part) }) else { return }
    buffer.append(part)
    guard buffer.count > UndisplayedRegion.maximumRects else { return }
    let around = rects.reduce(PixelRect.zero) { $0.union($1) }
    buffer.removeAll()
    buffer.append(around)
  }

  /// Removes all rectangles, because everything was shown.
  package func removeAll() { buffer.removeAll() }
}
