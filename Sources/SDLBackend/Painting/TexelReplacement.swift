/// A texture's own colours, tinted, in place of what was there.
nonisolated struct TexelReplacement: PixelBlend {
  static var skipsTransparentPixels: Bool { false }

  private let tint: PixelChannels

  /// Prepares to tint by a pixel of the window.
  @inline(__always)
  init(tint: UInt32) {
    self.tint = PixelChannels(PixelChannels.Pixels(repeating: tint))
  }

  @inline(__always)
  func blend(_ source: PixelChannels.Pixels, over below: PixelChannels.Pixels) -> PixelChannels.Pixels {
    PixelChannels(source).multiplied(by: tint).opaquePixels
  }
}
