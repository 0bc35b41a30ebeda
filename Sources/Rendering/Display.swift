/// The port to a screen, a window or a recorder.
///
/// Everything is called on the main actor, between `present` calls.
///
/// It speaks bitmaps, texture names and display lists; it knows no view and no decoder.
@MainActor
public protocol Display: AnyObject {
  /// What the display is now.
  var info: DisplayInfo { get }

  /// Makes a texture of a bitmap's size and uploads its pixels.
  /// - Throws: ``DisplayError`` when the renderer has no texture to give.
  func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID

  /// Gives up a texture; it dies after the next ``present()``, never inside a frame. An unknown name is ignored.
  func releaseTexture(_ texture: TextureID)

  /// Issues a frame's drawing: clears to the colour, then draws the list, then flushes. A command whose texture is gone
  /// draws nothing.
  func draw(_ list: DisplayList, background: Color)

  /// Shows what was drawn. May block until the display's refresh.
  func present()

  /// The pixels that were last drawn.
  /// - Throws: ``DisplayError`` when the renderer cannot be read.
  func readPixels() throws(DisplayError) -> Bitmap

  /// The bytes that live textures take, at four a pixel.
  var textureBytes: Int { get }

  /// In which order of channels bitmaps are cheapest to make textures of: who decodes many had better write that.
  var preferredChannelOrder: ChannelOrder { get }

  /// No frame comes for a while: lets go of what is kept for the next ones; called between frames.
  func trimCaches()
}

extension Display {
  /// Red first.
  public var preferredChannelOrder: ChannelOrder { .redFirst }

  /// Nothing is kept.
  public func trimCaches() {}
}
