import Geometry
import Rendering

/// Draws a window's frames in memory of its own: what differs, as long as the last frame's pixels are there, else all.
///
/// Knows nothing of what moves; ``FrameComparison`` finds that. Whenever something is not certain the frame is drawn
/// whole.
nonisolated final class SoftwareDrawing: Drawing {
  let name = "software"
  let device: String? = nil
  let requestsVsync = false
  let forgetsFrames = false
  let rendererError: DisplayError? = nil
  let sharedOrder: ChannelOrder? = Canvas.order
  private(set) var statistics = RedrawStatistics()

  private let policy: RedrawPolicy
  private let window: WindowReference
  private var presenter: any Presenter
  private let comparison = FrameComparison()
  private let covers = CoverList()
  private let stretching = StretchPainter()
  private let unshown = UnshownParts()
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
      presenter = HiddenPresenter(window: self.window)
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

  func takesTextures(of size: PixelSize) -> Bool { true }

  func makeTexture(size: PixelSize, isOpaque: Bool) throws(DisplayError) -> Texture {
    try Texture(size: size, isOpaque: isOpaque, order: Canvas.order)
  }

  func forget() { comparison.forget() }

  func draw(_ list: DisplayList, background: Color, textures: TextureSlots) -> Int {
    let canvas: Canvas
    do throws(DisplayError) {
      canvas = try currentCanvas()
      presenter.waitUntilRead()
      if presenter.hasFailed { try changePresenter(for: canvas) }
    } catch {
      // A window without pixels, or one that there is no memory for, shows nothing; reading its pixels says why.
      failure = error
      return 0
    }
    failure = nil
    if policy == .damage, drawParts(list, background, canvas, textures) { return 0 }
    statistics.wholeFrames += 1
    unshown.add(canvas.extent)
    return painter(canvas, textures).paint(list.commands, background: background)
  }

  func present() {
    guard let canvas, failure == nil, !unshown.parts.isEmpty else { return }
    if presenter.show(unshown.parts, of: canvas) { unshown.removeAll() }
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
    comparison.forget()
    unshown.removeAll()
    let next = try Canvas(extent: extent)
    do {
      try presenter.take(next)
    } catch {
      try changePresenter(for: next)
    }
    canvas = next
    return next
  }

  /// Goes on by SDL's surface where the X server does not share memory after all, or does no more; all is to be shown again.
  private func changePresenter(for canvas: Canvas) throws(DisplayError) {
    presenter.close()
    presenter = try SurfacePresenter(window: window)
    try presenter.take(canvas)
    unshown.add(canvas.extent)
  }

  private func painter(_ canvas: Canvas, _ textures: TextureSlots) -> PlanePainter {
    PlanePainter(canvas.plane, textures: textures, covers: covers, stretching: stretching)
  }

  /// Draws what differs, or declines and leaves the frame to be drawn whole.
  private func drawParts(
    _ list: DisplayList, _ background: Color, _ canvas: Canvas, _ textures: TextureSlots
  ) -> Bool {
    // What a texture showed that is gone now is not told by the commands.
    guard textures.areLive(list.commands) else {
      comparison.forget()
      return false
    }
    guard case .parts(let move) = comparison.compare(list, background: background, output: canvas.extent) else {
      return false
    }
    if let move {
      canvas.apply(move)
      unshown.add(move.region)
      statistics.movedFrames += 1
    } else {
      statistics.partialFrames += 1
    }
    let painter = painter(canvas, textures)
    for part in comparison.damage {
      painter.repaint(part, list.commands, background: background)
      unshown.add(part)
      statistics.damagedPixels += part.area
    }
    return true
  }
}
