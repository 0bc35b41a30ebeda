import BenchmarkSupport
import Geometry
import Rendering

/// A display that draws nothing: where a frame's drawing would begin, its measured stretch ends.
@MainActor
final class StretchDisplay: Display {
  /// What the stretch took that ended with the last frame's uploads.
  private(set) var cost: StretchCost?
  private let display: NullDisplay
  private let meter: StretchMeter

  init(size: Size, meter: StretchMeter) {
    display = NullDisplay(size: size)
    self.meter = meter
  }

  var info: DisplayInfo { display.info }
  var textureBytes: Int { display.textureBytes }

  func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID { try display.makeTexture(from: bitmap) }

  func releaseTexture(_ texture: TextureID) { display.releaseTexture(texture) }

  func draw(_ list: DisplayList, background: Color) {
    cost = meter.end()
    display.draw(list, background: background)
  }

  func present() { display.present() }

  func readPixels() throws(DisplayError) -> Bitmap { try display.readPixels() }
}
