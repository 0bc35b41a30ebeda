import Rendering

/// The channels of four pixels, sixteen bits each: what sums and products of eight bits need.
///
/// A pixel is a word of four bytes with the first one lowest. Its first and third channel stand in one vector, its second and
/// fourth in another, so that they part and join by masks and shifts alone, which every processor has.
nonisolated struct PixelChannels {
  /// Four pixels.
  typealias Pixels = SIMD4<UInt32>
  /// Two channels of each.
  typealias Lanes = SIMD8<UInt16>

  /// The first and the third channel of each pixel.
  var even: Lanes
  /// The second and the fourth, which is alpha.
  var odd: Lanes

  /// Parts four pixels.
  @inline(__always)
  init(_ pixels: Pixels) {
    let lanes = unsafeBitCast(pixels, to: Lanes.self)
    even = lanes & Lanes(repeating: 0xFF)
    odd = lanes &>> Lanes(repeating: 8)
  }

  @inline(__always)
  init(even: Lanes, odd: Lanes) {
    self.even = even
    self.odd = odd
  }

  /// The pixels again, opaque whatever their alpha was.
  ///
  /// - Precondition: no channel is above 255.
  @inline(__always)
  var opaquePixels: Pixels {
    unsafeBitCast(even | odd &<< Lanes(repeating: 8), to: Pixels.self) | Pixels(repeating: 0xFF00_0000)
  }

  /// The alpha of each pixel, for each of its channels.
  @inline(__always)
  var alphas: Lanes {
    let words = unsafeBitCast(odd, to: Pixels.self)
    return unsafeBitCast(words &>> Pixels(repeating: 16) | words & Pixels(repeating: 0xFFFF_0000), to: Lanes.self)
  }

  /// Channel by channel the product of two, 255 standing for one, to the nearest.
  @inline(__always)
  func multiplied(by other: PixelChannels) -> PixelChannels {
    PixelChannels(
      even: PixelChannels.dividedBy255(even &* other.even), odd: PixelChannels.dividedBy255(odd &* other.odd))
  }

  /// These channels laid over others at an opacity of 0 to 255 for each, to the nearest.
  @inline(__always)
  func mixed(with below: PixelChannels, opacity: Lanes) -> PixelChannels {
    let rest = Lanes(repeating: 255) &- opacity
    return PixelChannels(
      even: PixelChannels.dividedBy255(even &* opacity &+ below.even &* rest),
      odd: PixelChannels.dividedBy255(odd &* opacity &+ below.odd &* rest))
  }

  /// The alpha of four pixels, for each of their channels.
  @inline(__always)
  static func alphas(of pixels: Pixels) -> Lanes {
    let alphas = pixels &>> Pixels(repeating: 24)
    return unsafeBitCast(alphas | alphas &<< Pixels(repeating: 16), to: Lanes.self)
  }

  /// Products of two channels, or sums of such whose factors are 255 in all, divided by 255 to the nearest.
  ///
  /// Exact for 0 to 65,025.
  @inline(__always)
  static func dividedBy255(_ products: Lanes) -> Lanes {
    let raised = products &+ Lanes(repeating: 128)
    return (raised &+ raised &>> Lanes(repeating: 8)) &>> Lanes(repeating: 8)
  }
}
