public import Geometry

/// A display that draws nothing and remembers nothing but counts: for measuring what a frame costs without drawing.
@MainActor
public final class NullDisplay: Display {
  /// What the display says of itself.
  public private(set) var info: DisplayInfo
  /// The bytes that live textures would take.
  public private(set) var textureBytes = 0
  /// The frames drawn.
  public private(set) var drawnFrames = 0
  /// The commands of all frames.
  public private(set) var drawnCommands = 0
  /// The frames presented.
  public private(set) var presentedFrames = 0
  private var textureIDs = TextureIDAllocator()
  private var bytes: ContiguousArray<Int> = []

  /// Makes a display of a size in points at a scale.
  public init(size: Size = Size(width: 1280, height: 800), scale: DisplayScale = .one) {
    info = DisplayInfo(driver: "none", renderer: "null", contentSize: size, scale: scale)
  }

  /// Gives a name and counts the bitmap's bytes.
  public func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID {
    guard let name = textureIDs.makeID() else { throw DisplayError.outOfTextureIDs }
    if name.slot == bytes.count { bytes.append(0) }
    bytes[name.slot] = bitmap.byteCount
    textureBytes += bitmap.byteCount
    return name
  }

  /// Ends a name at once: no frame is under way that could use it.
  public func releaseTexture(_ texture: TextureID) {
    guard textureIDs.releaseID(texture) else { return }
    textureBytes -= bytes[texture.slot]
  }

  /// Counts the commands.
  public func draw(_ list: DisplayList, background: Color) {
    drawnFrames += 1
    drawnCommands += list.count
  }

  /// Counts the frame.
  public func present() { presentedFrames += 1 }

  /// Always throws: there are no pixels.
  public func readPixels() throws(DisplayError) -> Bitmap {
    throw DisplayError(action: "read pixels", reason: "this display draws nothing")
  }
}
