public import VitrineGeometry

/// A display without a screen that records frames and textures.
///
/// Its pixels come from ``ReferencePainter``. Texture errors can be simulated to test how a caller handles them.
@MainActor
public final class RecordingDisplay: Display {
  /// The current properties of the display.
  public private(set) var info: DisplayInfo
  /// The number of bytes of all live textures.
  public private(set) var textureBytes = 0
  /// The recorded frames, oldest first, at most ``frameLimit``.
  public private(set) var frames: [RecordedFrame] = []
  /// The maximum number of recorded frames.
  ///
  /// If it is 0, only the pixels of the last frame can be read.
  public var frameLimit: Int
  /// The number of frames drawn.
  public private(set) var drawnFrames = 0
  /// The number of frames presented.
  public private(set) var presentedFrames = 0
  /// The counts of textures created, released and destroyed.
  public private(set) var textureCounts = TextureCounts()
  /// Returns the error to throw for a bitmap, or nil to create the texture.
  ///
  /// Called before each texture is created.
  public var simulatedTextureError: ((Bitmap) -> DisplayError?)?

  /// The text of the clipboard, which belongs to the display.
  public private(set) var clipboardText: [UInt8] = []
  /// The caret at which text input takes place, or nil if there is none.
  public private(set) var textInputArea: Rect?

  /// Called during each present, for example to simulate the time that presenting takes.
  public var onPresent: (() -> Void)?

  private var textureIDs = TextureIDAllocator()
  private var bitmaps: [TextureID: Bitmap] = [:]
  private var pendingDestruction: [TextureID] = []
  private var lastFrame: RecordedFrame?

  /// Creates a display with a size in points and a scale.
  public init(size: Size = Size(width: 1280, height: 800), scale: DisplayScale = .one, frameLimit: Int = 1) {
    info = DisplayInfo(driver: "none", renderer: "recording", contentSize: size, scale: scale)
    self.frameLimit = frameLimit
  }

  /// Changes the size or scale of the display, as the user does by dragging a corner of the window.
  public func resize(to size: Size, scale: DisplayScale? = nil) {
    info = DisplayInfo(
      driver: info.driver, renderer: info.renderer, contentSize: size, scale: scale ?? info.scale)
  }

  /// Stores the text; always returns true.
  public func setClipboardText(_ bytes: [UInt8]) -> Bool {
    clipboardText = bytes
    return true
  }

  /// Records the caret.
  public func setTextInputArea(_ caret: Rect?) { textInputArea = caret }

  /// Changes the refresh rate, as when the window is moved to another screen.
  public func moveToDisplay(refreshHz: Double) { info.refreshHz = refreshHz }

  /// Returns the bitmap of a texture, or nil if the texture was released.
  public func bitmap(of texture: TextureID) -> Bitmap? { textureIDs.isLive(texture) ? bitmaps[texture] : nil }

  /// Stores the bitmap under a new ID.
  /// - Throws: The error of ``simulatedTextureError``, or ``DisplayError/outOfTextureIDs``.
  public func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID {
    if let error = simulatedTextureError?(bitmap) { throw error }
    guard let id = textureIDs.makeID() else { throw DisplayError.outOfTextureIDs }
    bitmaps[id] = bitmap
    textureBytes += bitmap.byteCount
    textureCounts.created += 1
    textureCounts.uploadedBytes += bitmap.byteCount
    textureCounts.peakBytes = max(textureCounts.peakBytes, textureBytes)
    return id
  }

  /// Releases the ID immediately, and the bitmap at the end of the frame.
  public func releaseTexture(_ texture: TextureID) {
    guard textureIDs.releaseID(texture) else {
      textureCounts.invalidReleases += 1
      return
    }
    textureCounts.released += 1
    textureBytes -= bitmaps[texture]?.byteCount ?? 0
    pendingDestruction.append(texture)
  }

  /// Releases every texture, as after a reset of the renderer.
  public func loseTextures() {
    for id in bitmaps.keys.sorted(by: { $0.rawValue < $1.rawValue }) where textureIDs.isLive(id) {
      releaseTexture(id)
    }
  }

  /// Records the frame and counts the commands whose texture was released.
  public func draw(_ list: DisplayList, background: Color) {
    let frame = RecordedFrame(background: background, commands: Array(list.commands))
    for command in frame.commands where command.kind == .texture && !textureIDs.isLive(command.texture) {
      textureCounts.staleCommands += 1
    }
    drawnFrames += 1
    lastFrame = frame
    guard frameLimit > 0 else { return }
    frames.append(frame)
    if frames.count > frameLimit { frames.removeFirst(frames.count - frameLimit) }
  }

  /// Counts the frame.
  public func present() {
    presentedFrames += 1
    onPresent?()
  }

  /// Destroys released textures.
  public func endFrame() {
    for id in pendingDestruction { bitmaps[id] = nil }
    textureCounts.destroyed += pendingDestruction.count
    pendingDestruction.removeAll(keepingCapacity: true)
  }

  /// Paints the frame that was drawn last.
  /// - Throws: ``DisplayError`` before the first frame, if the display has no pixels, or if the system has no memory.
  public func readPixels() throws(DisplayError) -> Bitmap {
    guard let lastFrame else { throw DisplayError(action: "read pixels", reason: "no frame was drawn yet") }
    let extent = info.pixelSize
    guard let size = PixelSize(width: Int(extent.width), height: Int(extent.height)) else {
      throw DisplayError(action: "read pixels", reason: "the display is \(extent.width) x \(extent.height) pixels")
    }
    do {
      return try Bitmap(size: size, isOpaque: true) { pixels in
        let painter = ReferencePainter(size: size, pixels: pixels, background: lastFrame.background)
        painter.paint(lastFrame.commands) { [textureIDs, bitmaps] id in textureIDs.isLive(id) ? bitmaps[id] : nil }
      }
    } catch {
      throw DisplayError(action: "read pixels", reason: "\(error)")
    }
  }
}

/// A recorded frame.
public struct RecordedFrame: Hashable, Sendable {
  /// The background colour.
  public let background: Color
  /// The commands, back to front.
  public let commands: [DrawCommand]

  /// Creates a frame.
  public init(background: Color, commands: [DrawCommand]) {
    self.background = background
    self.commands = commands
  }
}

/// The counts of a recording display's textures.
///
/// Each is created once, released once and then destroyed.
public struct TextureCounts: Hashable, Sendable {
  /// The number of textures created.
  public var created = 0
  /// The number of textures released.
  public var released = 0
  /// The number of released textures that were destroyed, which happens at the end of the frame.
  public var destroyed = 0
  /// The number of releases of IDs that were not live.
  public var invalidReleases = 0
  /// The number of bytes uploaded.
  public var uploadedBytes = 0
  /// The maximum number of live bytes at any time.
  public var peakBytes = 0
  /// The number of commands whose texture was released.
  ///
  /// They drew nothing.
  public var staleCommands = 0

  /// Creates counts of zero.
  public init() {}

  /// The number of textures that are not released yet.
  public var live: Int { created - released }
}
