import Geometry
import Rendering

/// Draws a window's frames in memory of its own: what differs, as long as the last frame's pixels are there, else all.
///
/// Knows nothing of what moves; ``FrameComparison`` finds that. Whenever something is not certain the frame is drawn
/// whole.
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
  private let undisplayedRegion = UndisplayedRegion()
  private var canvas: Canvas?
  /// Why nothing is drawn.
  private var failure: DisplayError?
  private var isClosed = false

  /// Makes the drawing of a window that shows nothing yet; it must be closed before the window ends.
  ///
  /// - Parameter isHidden: whether there is no screen.
  /// - Throws: ``DisplayError`` when nothing that is drawn can be shown.
  init(_ policy: RedrawPolicy, window: borrowing WindowHandle, isHidden: Bool) throws(DisplayError) {
    self.policy = policy
    self.window = window.reference
    if isHidden {
      presenter = HeadlessPresenter(window: self.window)
    } else if let sharing = SharedMemoryPresenter(window: self.window) {
      presenter = sharing
    } else if self.window.xWindow != nil {
      presenter = try SurfacePresenter(window: self.window)
    } else {
      presenter = try TexturePresenter(window: self.window)
    }
    // While the window is hidden: whoever shows it may have to make it anew.
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
      // A window without pixels, or one that there is no memory for, shows nothing; reading its pixels says why.
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
      return try Bitmap(size: size, isOpaque: true) { plane.read(into: $0) }
    } catch {
      throw DisplayError(action: action, reason: "\(error)")
    }
  }

  func close() {
    isClosed = true
    presenter.close()
    canvas = nil
  }

  /// The canvas of the window's extent, another one where that has changed.
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

  /// Goes on by SDL's surface where the X server does not share memory after all, or does no more; all is to be shown again.
  private func fallBackToSurfacePresenter(for canvas: Canvas) throws(DisplayError) {
    presenter.close()
    presenter = try SurfacePresenter(window: window)
    try presenter.setCanvas(canvas)
    undisplayedRegion.add(canvas.extent)
  }

  private func makePainter(_ canvas: Canvas, _ textures: TextureSlots) -> PlanePainter {
    PlanePainter(canvas.plane, textures: textures, occluders: occluders, stretchPainter: stretchPainter)
  }

  /// Draws what differs, or declines and leaves the frame to be drawn whole.
  private func drawDamage(
    _ list: DisplayList, _ background: Color, _ canvas: Canvas, _ textures: TextureSlots
  ) -> Bool {
    // What a texture showed that is gone now is not told by the commands.
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
