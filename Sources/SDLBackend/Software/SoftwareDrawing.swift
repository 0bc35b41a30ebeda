import Geometry
import Rendering

/// Draws a window's frames in memory of its own: what differs, as long as the last frame's pixels are there, else all.
///
/// Knows nothing of what moves; ``FrameComparison`` finds that. Whenever something is not certain the frame is drawn
/// whole.
nonisolated final class SoftwareDrawing: Drawing {
  let name = RendererDriver.software.rawValue
  let device: String? = nil
  let requestsVsync = false
  let forgetsFrames = false
  private(set) var statistics = RedrawStatistics()

  private let policy: RedrawPolicy
  private let window: WindowReference
  private var presenter: any Presenter
  private let comparison = FrameComparison()
  private let covers = CoverList()
  private let stretching = StretchPainter()
  private let unshown = UnshownParts()
  private var canvas: Canvas?
  private var isClosed = false

  /// Makes the drawing of a window that shows nothing yet; it must be closed before the window ends.
  ///
  /// - Parameter isHidden: whether there is no screen.
  init(_ policy: RedrawPolicy, window: borrowing WindowHandle, isHidden: Bool) {
    self.policy = policy
    self.window = window.reference
    if isHidden {
      presenter = HiddenPresenter(window: self.window)
    } else {
      presenter = SharedMemoryPresenter(window: self.window) ?? SurfacePresenter(window: self.window)
    }
  }

  var outputSize: PixelRect { isClosed ? .zero : presenter.outputSize }

  func makeTexture(size: PixelSize, isOpaque: Bool) throws(DisplayError) -> Texture {
    try Texture(size: size, isOpaque: isOpaque, order: Canvas.order)
  }

  func forget() { comparison.forget() }

  func draw(_ list: DisplayList, background: Color, textures: TextureSlots) -> Int {
    // A window without pixels, or one that there is no memory for, shows nothing; reading its pixels says why.
    guard let canvas = try? currentCanvas() else { return 0 }
    presenter.waitUntilRead()
    if policy == .damage, drawParts(list, background, canvas, textures) { return 0 }
    statistics.wholeFrames += 1
    unshown.add(canvas.extent)
    return painter(canvas, textures).paint(list.commands, background: background)
  }

  func present() {
    guard let canvas else { return }
    presenter.show(unshown.parts, of: canvas)
    unshown.removeAll()
  }

  func readPixels() throws(DisplayError) -> Bitmap {
    let plane = try currentCanvas().plane
    let action = "read pixels"
    guard let size = PixelSize(width: Int(plane.extent.width), height: Int(plane.extent.height)) else {
      throw DisplayError(action: action, reason: "the window has none")
    }
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
      // What the server shared once it may refuse later: then by SDL, which finds its own way.
      presenter.close()
      presenter = SurfacePresenter(window: window)
      try presenter.take(next)
    }
    canvas = next
    return next
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
