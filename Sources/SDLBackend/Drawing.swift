import Geometry
import Rendering

/// Draws a window's frames, in memory or by SDL's renderers, and makes the textures that it draws from.
nonisolated protocol FrameRenderer: AnyObject {
  /// SDL's name of the renderer, such as `opengl`; `software` for whatever draws on the processor.
  var name: String { get }
  /// What OpenGL runs on, where it says so.
  var device: String? { get }
  /// Whether presenting was asked to wait for the refresh.
  var requestsVsync: Bool { get }
  /// Whether a frame is lost when it has been shown.
  var discardsFramesOnPresent: Bool { get }
  /// The window's extent in pixels, now.
  var outputSize: PixelRect { get }
  /// How frames were drawn; where all are drawn whole nothing is counted.
  var statistics: RedrawStatistics { get }

  /// Why the renderer can draw no more, so that another one has to go on; nil while it can.
  var rendererError: DisplayError? { get }

  /// Whether a texture may have an extent.
  func supportsTexture(of size: PixelSize) -> Bool

  /// In which order bitmaps can be drawn from as they are, without a copy; nothing where each has to be copied.
  var shareableChannelOrder: ChannelOrder? { get }

  /// Makes a texture without content.
  /// - Throws: ``DisplayError`` when the extent is too large or its memory is out.
  func makeTexture(size: PixelSize, isOpaque: Bool) throws(DisplayError) -> Texture

  /// Draws a list over a colour.
  ///
  /// Where that fails ``rendererError`` says why.
  /// - Returns: the number of commands whose texture is gone.
  func draw(_ list: DisplayList, background: Color, textures: TextureSlots) -> Int

  /// Shows what was drawn.
  func present()

  /// Reads what was drawn.
  /// - Throws: ``DisplayError`` when the window has no pixels or memory is out.
  func readPixels() throws(DisplayError) -> Bitmap

  /// The window may have lost what it shows, and have another extent.
  func invalidate()

  /// Lets go of the window, once, after the textures and before the window ends.
  func close()
}
