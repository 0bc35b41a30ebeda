/// A texture's own colours, tinted, by their alpha.
nonisolated struct TexelBlend: PixelBlend {
  static var passesClearPixels: Bool { true }

  private let tint: PixelChannels
  private let isSwapping: Bool

  /// Prepares to tint.
  ///
  /// - Parameters:
  ///   - tint: a pixel of the window.
  ///   - isSwapping: whether the texture has red where the window has blue.
  @inline(__always)
  init(tint: UInt32, isSwapping: Bool) {
    self.tint = PixelChannels(PixelChannels.Pixels(repeating: tint))
    self.isSwapping = isSwapping
  }

  @inline(__always)
  func blend(_ source: PixelChannels.Pixels, over below: PixelChannels.Pixels) -> PixelChannels.Pixels {
    let tinted = (isSwapping ? PixelChannels(source).swapped : PixelChannels(source)).multiplied(by: tint)
    return tinted.mixed(with: PixelChannels(below), opacity: tinted.alphas).opaquePixels
  }
}
