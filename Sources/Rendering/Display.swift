public import VitrineGeometry

/// The interface to a screen, a window or a recorder.
///
/// All methods are called on the main actor, between calls of ``present()``.
///
/// A display deals in bitmaps, texture IDs and display lists. It knows neither views nor decoders.
@MainActor
public protocol Display: AnyObject {
  /// The current properties of the display.
  var info: DisplayInfo { get }

  /// Creates a texture of a bitmap's size and uploads the pixels.
  /// - Throws: ``DisplayError`` if the renderer cannot create the texture.
  func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID

  /// Releases a texture.
  ///
  /// It is destroyed after the next ``present()``, never within a frame.
  ///
  /// An unknown ID is ignored.
  func releaseTexture(_ texture: TextureID)

  /// Draws a frame: clears to the background colour, draws the list and flushes.
  ///
  /// A command whose texture was released draws nothing.
  func draw(_ list: DisplayList, background: Color)

  /// Shows the frame that was drawn last.
  ///
  /// May block until the display's refresh.
  func present()

  /// Ends the frame: frees the textures that were released before it was presented.
  ///
  /// Called after ``present()``, so that freeing large textures does not make the frame late.
  func endFrame()

  /// Returns the pixels of the frame that was drawn last.
  /// - Throws: ``DisplayError`` if the pixels cannot be read.
  func readPixels() throws(DisplayError) -> Bitmap

  /// The number of bytes of all live textures, at four bytes a pixel.
  var textureBytes: Int { get }

  /// The channel order in which bitmaps are the cheapest to turn into textures.
  ///
  /// Decoders should write this order.
  var preferredChannelOrder: ChannelOrder { get }

  /// Releases memory that is cached for later frames.
  ///
  /// Called between frames, when no frame is expected for a while.
  func trimCaches()

  /// The text of the clipboard as UTF-8, empty if there is none.
  ///
  /// May wait for the program that owns the text.
  var clipboardText: [UInt8] { get }

  /// Sets the text of the clipboard from UTF-8 bytes.
  ///
  /// - Returns: Whether the text was set.
  func setClipboardText(_ bytes: [UInt8]) -> Bool

  /// Starts text input by input methods at the caret of a text field, moves it there, or ends it.
  ///
  /// - Parameter caret: The extent of the caret in points of the window, near which an input method displays its
  ///   candidates, or nil to end text input.
  func setTextInputArea(_ caret: Rect?)
}

extension Display {
  /// Red first.
  public var preferredChannelOrder: ChannelOrder { .redFirst }

  /// Does nothing.
  public func endFrame() {}

  /// Does nothing.
  public func trimCaches() {}

  /// Always empty.
  public var clipboardText: [UInt8] { [] }

  /// Always returns false.
  public func setClipboardText(_ bytes: [UInt8]) -> Bool { false }

  /// Does nothing.
  public func setTextInputArea(_ caret: Rect?) {}
}

/// The properties of a display.
///
/// They can change when the window is moved or resized.
public struct DisplayInfo: Hashable, Sendable {
  /// The name of SDL's video driver, such as `x11` or `dummy`.
  public var driver: String
  /// SDL's name of the renderer, such as `opengl`, or `software` for a renderer that runs on the processor.
  public var renderer: String
  /// The device that the renderer runs on, such as `llvmpipe (LLVM 15.0.6, 256 bits)`, or nil if it is unknown.
  public var device: String?
  /// The size of the content in points.
  public var size: Size
  /// The size of the content in pixels.
  public var pixelSize: PixelRect
  /// The number of pixels per point.
  public var scale: DisplayScale
  /// The display's refresh rate in hertz, or nil if it is unknown.
  public var refreshHz: Double?
  /// Whether vertical synchronisation was requested.
  ///
  /// The driver may not honour the request.
  public var requestsVsync: Bool

  /// Creates display properties.
  public init(
    driver: String, renderer: String, device: String? = nil, size: Size, pixelSize: PixelRect,
    scale: DisplayScale = .one, refreshHz: Double? = nil, requestsVsync: Bool = false
  ) {
    self.driver = driver
    self.renderer = renderer
    self.device = device
    self.size = size
    self.pixelSize = pixelSize
    self.scale = scale
    self.refreshHz = refreshHz
    self.requestsVsync = requestsVsync
  }
}

extension DisplayInfo {
  /// Creates display properties whose size in pixels is computed from the size in points.
  public init(driver: String, renderer: String, contentSize: Size, scale: DisplayScale) {
    let content = Rect(x: 0, y: 0, width: contentSize.width, height: contentSize.height)
    self.init(driver: driver, renderer: renderer, size: contentSize, pixelSize: scale.pixelRect(content), scale: scale)
  }
}

/// The colour profile of a display, as bytes (ICC.1:2022).
///
/// The program that draws does not read the bytes: a decoding process does, because they are as little trusted as those of
/// a picture.
public struct ColorProfile: Hashable, Sendable {
  /// The maximum number of bytes.
  ///
  /// Profiles of displays have a few kilobytes, and up to a megabyte if they contain tables.
  public static let maximumByteCount = 4 << 20

  /// The bytes of the profile.
  public let bytes: [UInt8]

  /// Creates a profile, or returns nil if there are no bytes or too many.
  public init?(bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty, bytes.count <= ColorProfile.maximumByteCount else { return nil }
    self.bytes = Array(bytes)
  }
}

/// An error of a display, with the driver's reason.
public struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The action that failed, such as "create a window".
  public var action: String
  /// The reason that the driver gave.
  public var reason: String

  /// Creates an error.
  public init(action: String, reason: String) {
    self.action = action
    self.reason = reason
  }

  /// The action and the reason in one sentence.
  public var description: String { "cannot \(action): \(reason)" }
}

extension DisplayError {
  /// The error that all texture IDs are in use.
  public static var outOfTextureIDs: DisplayError {
    DisplayError(action: "make a texture", reason: "all names for textures are in use")
  }
}

/// A display that draws nothing and only counts, for measuring the cost of frames without drawing.
@MainActor
public final class NullDisplay: Display {
  /// The current properties of the display.
  public private(set) var info: DisplayInfo
  /// The number of bytes of all live textures.
  public private(set) var textureBytes = 0
  /// The number of frames drawn.
  public private(set) var drawnFrames = 0
  /// The number of commands in all frames.
  public private(set) var drawnCommands = 0
  /// The number of frames presented.
  public private(set) var presentedFrames = 0
  private var textureIDs = TextureIDAllocator()
  private var bytes: ContiguousArray<Int> = []

  /// Creates a display with a size in points and a scale.
  public init(size: Size = Size(width: 1280, height: 800), scale: DisplayScale = .one) {
    info = DisplayInfo(driver: "none", renderer: "null", contentSize: size, scale: scale)
  }

  /// Returns a new ID and counts the bitmap's bytes.
  public func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID {
    guard let id = textureIDs.makeID() else { throw DisplayError.outOfTextureIDs }
    if id.slot == bytes.count { bytes.append(0) }
    bytes[id.slot] = bitmap.byteCount
    textureBytes += bitmap.byteCount
    return id
  }

  /// Releases an ID immediately, as no frame can be using it.
  public func releaseTexture(_ texture: TextureID) {
    guard textureIDs.releaseID(texture) else { return }
    textureBytes -= bytes[texture.slot]
  }

  /// Counts the frame and its commands.
  public func draw(_ list: DisplayList, background: Color) {
    drawnFrames += 1
    drawnCommands += list.count
  }

  /// Counts the presented frame.
  public func present() { presentedFrames += 1 }

  /// Always throws, because the display has no pixels.
  public func readPixels() throws(DisplayError) -> Bitmap {
    throw DisplayError(action: "read pixels", reason: "this display draws nothing")
  }
}
