/// A texture's own colours, tinted, in place of what was there.
nonisolated struct TexelReplacement: PixelBlend {
  static var passesClearPixels: Bool { false }

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
    (isSwapping ? PixelChannels(source).swapped : PixelChannels(source)).multiplied(by: tint).opaquePixels
  }
}
