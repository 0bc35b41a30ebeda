import Geometry
import Rendering

/// A display that draws nothing and says when a frame's drawing would begin: where its uploads have ended.
@MainActor
final class StretchDisplay: Display {
  /// Called before each frame's drawing.
  var willDraw: () -> Void = {}
  private let display: NullDisplay

  init(size: Size) { display = NullDisplay(size: size) }

  var info: DisplayInfo { display.info }
  var textureBytes: Int { display.textureBytes }

  func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID { try display.makeTexture(from: bitmap) }

  func releaseTexture(_ texture: TextureID) { display.releaseTexture(texture) }

  func draw(_ list: DisplayList, background: Color) {
    willDraw()
    display.draw(list, background: background)
  }

  func present() { display.present() }

  func readPixels() throws(DisplayError) -> Bitmap { try display.readPixels() }
}
