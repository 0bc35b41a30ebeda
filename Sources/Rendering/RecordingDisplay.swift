public import Geometry

/// A display without a screen that keeps what it was told: the last frames, the textures, and a ledger of both.
///
/// Its pixels come from ``ReferencePainter``. Refusals can be ordered in advance, to see what a caller does about them.
@MainActor
public final class RecordingDisplay: Display {
  /// What the display says of itself.
  public private(set) var info: DisplayInfo
  /// The bytes that live textures take.
  public private(set) var textureBytes = 0
  /// The last frames drawn, oldest first, at most ``keptFrames``.
  public private(set) var frames: [RecordedFrame] = []
  /// How many frames are kept; 0 keeps none but the last one's pixels.
  public var frameLimit: Int
  /// The frames drawn.
  public private(set) var drawnFrames = 0
  /// The frames presented.
  public private(set) var presentedFrames = 0
  /// What became of the textures.
  public private(set) var textureCounts = TextureCounts()
  /// Refuses a texture, where it returns an error; asked before each one with the bitmap to upload.
  public var simulatedTextureError: ((Bitmap) -> DisplayError?)?

  /// Called in each present, before it returns: what presenting is to take.
  public var onPresent: (() -> Void)?

  private var names = TextureIDAllocator()
  private var bitmaps: [TextureID: Bitmap] = [:]
  private var pendingDestruction: [TextureID] = []
  private var lastFrame: RecordedFrame?

  /// Makes a display of a size in points at a scale.
  public init(size: Size = Size(width: 1280, height: 800), scale: DisplayScale = .one, frameLimit: Int = 1) {
    info = DisplayInfo(driver: "none", renderer: "recording", contentSize: size, scale: scale)
    self.frameLimit = frameLimit
  }

  /// Gives the display another size or scale, as a user's drag of a corner would.
  public func resize(to size: Size, scale: DisplayScale? = nil) {
    info = DisplayInfo(
      driver: info.driver, renderer: info.renderer, contentSize: size, scale: scale ?? info.scale)
  }

  /// Says that it has another refresh, as where a window is moved to another screen.
  public func moveToDisplay(refreshHz: Double) { info.refreshHz = refreshHz }

  /// The pixels behind a live name.
  public func bitmap(of texture: TextureID) -> Bitmap? { names.isLive(texture) ? bitmaps[texture] : nil }

  /// Keeps the bitmap under a new name.
  /// - Throws: what ``refusal`` says, or that names have run out.
  public func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID {
    if let error = simulatedTextureError?(bitmap) { throw error }
    guard let name = names.makeID() else { throw DisplayError.outOfTextureIDs }
    bitmaps[name] = bitmap
    textureBytes += bitmap.byteCount
    textureCounts.created += 1
    textureCounts.uploadedBytes += bitmap.byteCount
    textureCounts.peakBytes = max(textureCounts.peakBytes, textureBytes)
    return name
  }

  /// Ends a name now and its pixels after the next present.
  public func releaseTexture(_ texture: TextureID) {
    guard names.releaseID(texture) else {
      textureCounts.invalidReleases += 1
      return
    }
    textureCounts.released += 1
    textureBytes -= bitmaps[texture]?.byteCount ?? 0
    pendingDestruction.append(texture)
  }

  /// Loses every texture, as after a reset of the renderer: all names are ended.
  public func loseTextures() {
    for name in bitmaps.keys.sorted(by: { $0.rawValue < $1.rawValue }) where names.isLive(name) {
      releaseTexture(name)
    }
  }

  /// Copies the list and counts commands whose texture is gone.
  public func draw(_ list: DisplayList, background: Color) {
    let frame = RecordedFrame(background: background, commands: Array(list.commands))
    for command in frame.commands where command.kind == .texture && !names.isLive(command.texture) {
      textureCounts.staleCommands += 1
    }
    drawnFrames += 1
    lastFrame = frame
    guard frameLimit > 0 else { return }
    frames.append(frame)
    if frames.count > frameLimit { frames.removeFirst(frames.count - frameLimit) }
  }

  /// Counts the frame and lets released textures die.
  public func present() {
    presentedFrames += 1
    onPresent?()
    for name in pendingDestruction { bitmaps[name] = nil }
    textureCounts.destroyed += pendingDestruction.count
    pendingDestruction.removeAll(keepingCapacity: true)
  }

  /// Paints the frame that was drawn last.
  /// - Throws: ``DisplayError`` before the first frame, where the display has no pixels, or where memory is out.
  public func readPixels() throws(DisplayError) -> Bitmap {
    guard let lastFrame else { throw DisplayError(action: "read pixels", reason: "no frame was drawn yet") }
    let extent = info.pixelSize
    guard let size = PixelSize(width: Int(extent.width), height: Int(extent.height)) else {
      throw DisplayError(action: "read pixels", reason: "the display is \(extent.width) x \(extent.height) pixels")
    }
    do {
      return try Bitmap(size: size, isOpaque: true) { pixels in
        let painter = ReferencePainter(size: size, pixels: pixels, background: lastFrame.background)
        painter.paint(lastFrame.commands) { [names, bitmaps] name in names.isLive(name) ? bitmaps[name] : nil }
      }
    } catch {
      throw DisplayError(action: "read pixels", reason: "\(error)")
    }
  }
}
