/// One colour as far as a texture covers: the texture is white, and only its alpha tells.
nonisolated struct CoverageBlend: PixelBlend {
  static var skipsTransparentPixels: Bool { true }

  private let color: PixelChannels
  private let opacity: PixelChannels.Lanes

  /// Prepares to lay on a colour, given as a pixel.
  @inline(__always)
  init(pixel: UInt32) {
    let pixels = PixelChannels.Pixels(repeating: pixel)
    color = PixelChannels(pixels)
    opacity = PixelChannels.alphas(of: pixels)
  }

  @inline(__always)
  func blend(_ source: PixelChannels.Pixels, over below: PixelChannels.Pixels) -> PixelChannels.Pixels {
    let alphas = PixelChannels.dividedBy255(PixelChannels.alphas(of: source) &* opacity)
    return color.mixed(with: PixelChannels(below), opacity: alphas).opaquePixels
  }
}
