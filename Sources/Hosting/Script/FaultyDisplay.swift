import FramePacing
import Rendering

/// A display whose next present can be held up, and that can say to have another refresh.
final class FaultyDisplay: Display {
  /// What the next present takes on top.
  var presentDelay = FrameDuration.zero
  /// The refreshes a second that it says to have, in place of its own.
  var refreshHz: Double?
  private let base: any Display
  private let clock: FaultyClock

  init(_ base: any Display, clock: FaultyClock) {
    self.base = base
    self.clock = clock
  }

  var info: DisplayInfo {
    var info = base.info
    if let refreshHz { info.refreshHz = refreshHz }
    return info
  }

  func present() {
    if presentDelay > .zero { clock.stall(for: presentDelay) }
    presentDelay = .zero
    base.present()
  }

  func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID { try base.makeTexture(from: bitmap) }
  func releaseTexture(_ texture: TextureID) { base.releaseTexture(texture) }
  func draw(_ list: DisplayList, background: Color) { base.draw(list, background: background) }
  func readPixels() throws(DisplayError) -> Bitmap { try base.readPixels() }
  var textureBytes: Int { base.textureBytes }
  var preferredChannelOrder: ChannelOrder { base.preferredChannelOrder }

  func trimCaches() { base.trimCaches() }
}
