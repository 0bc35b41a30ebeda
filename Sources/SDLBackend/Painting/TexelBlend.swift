/// A texture's own colours, tinted, by their alpha.
nonisolated struct TexelBlend: PixelBlend {
  static var skipsTransparentPixels: Bool { true }

  private let tint: PixelChannels

  /// Prepares to tint by a pixel of the window.
  @inline(__always)
  init(tint: UInt32) {
    self.tint = PixelChannels(PixelChannels.Pixels(repeating: tint))
  }

  @inline(__always)
  func blend(_ source: PixelChannels.Pixels, over below: PixelChannels.Pixels) -> PixelChannels.Pixels {
    let tinted = PixelChannels(source).multiplied(by: tint)
    return tinted.mixed(with: PixelChannels(below), opacity: tinted.alphas).opaquePixels
  }
}
