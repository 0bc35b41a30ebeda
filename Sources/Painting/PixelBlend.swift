import VitrineRendering

/// A rule that combines pixels of a texture with those of a window, four at a time.
protocol PixelBlend {
  /// Whether transparent pixels of a texture leave the window unchanged.
  static var skipsTransparentPixels: Bool { get }

  /// Returns the resulting opaque pixels.
  func blend(_ source: PixelChannels.Pixels, over below: PixelChannels.Pixels) -> PixelChannels.Pixels
}

extension PixelBlend {
  /// Blends a row of a texture over a row of a window.
  ///
  /// The remaining one to three pixels use the same arithmetic, so that no pixel depends on where a row is clipped.
  ///
  /// - Parameters:
  ///   - row: The first pixel of the window.
  ///   - texels: The first pixel of the texture.
  ///   - step: The number of bytes from four pixels of the texture to the next: 16, or 0 to repeat the same four.
  ///   - count: The number of pixels.
  /// - Complexity: O(count).
  @inline(__always)
  func blendRow(to row: UnsafeMutableRawPointer, from texels: UnsafeRawPointer, step: Int, count: Int) {
    var target = row
    var source = texels
    let end = row + (count & ~3) * 4
    while target < end {
      if !Self.skipsTransparentPixels || !areTransparent(source) {
        let next = blend(
          source.loadUnaligned(as: PixelChannels.Pixels.self),
          over: target.loadUnaligned(as: PixelChannels.Pixels.self))
        target.storeBytes(of: next, as: PixelChannels.Pixels.self)
      }
      target += 16
      source += step
    }
    if count & 3 > 0 { blendRemainder(to: target, from: source, count: count & 3) }
  }

  /// Blends fewer than four pixels.
  private func blendRemainder(to target: UnsafeMutableRawPointer, from texels: UnsafeRawPointer, count: Int) {
    var source = PixelChannels.Pixels.zero
    var below = PixelChannels.Pixels.zero
    for index in 0..<count {
      source[index] = texels.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      below[index] = target.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
    }
    let next = blend(source, over: below)
    for index in 0..<count { target.storeBytes(of: next[index], toByteOffset: index * 4, as: UInt32.self) }
  }

  /// Whether four pixels are transparent, as most pixels of a line of text are.
  @inline(__always)
  private func areTransparent(_ texels: UnsafeRawPointer) -> Bool {
    let pairs = texels.loadUnaligned(as: UInt64.self) | texels.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return pairs & 0xFF00_0000_FF00_0000 == 0
  }
}

/// A rule that blends one colour by the alpha of a white texture.
struct CoverageBlend: PixelBlend {
  static var skipsTransparentPixels: Bool { true }

  private let color: PixelChannels
  private let opacity: PixelChannels.Lanes

  /// Creates a rule for a colour, given as a pixel.
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

/// A rule that blends the tinted colours of a texture by their alpha.
struct TexelBlend: PixelBlend {
  static var skipsTransparentPixels: Bool { true }

  private let tint: PixelChannels

  /// Creates a rule for a tint, given as a pixel.
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

/// A rule that replaces the window's pixels by the tinted colours of a texture.
struct TexelReplacement: PixelBlend {
  static var skipsTransparentPixels: Bool { false }

  private let tint: PixelChannels

  /// Creates a rule for a tint, given as a pixel.
  @inline(__always)
  init(tint: UInt32) {
    self.tint = PixelChannels(PixelChannels.Pixels(repeating: tint))
  }

  @inline(__always)
  func blend(_ source: PixelChannels.Pixels, over below: PixelChannels.Pixels) -> PixelChannels.Pixels {
    PixelChannels(source).multiplied(by: tint).opaquePixels
  }
}

/// The channels of four pixels in 16 bits each, which sums and products of 8 bits need.
///
/// A pixel is a word of four bytes with the first one lowest. One vector contains the first and third channels, another
/// the second and fourth, so that masks and shifts are sufficient to split and join them, which every processor has.
struct PixelChannels {
  /// Four pixels.
  typealias Pixels = SIMD4<UInt32>
  /// Two channels of each of the four pixels.
  typealias Lanes = SIMD8<UInt16>

  /// The first and third channel of each pixel.
  var even: Lanes
  /// The second and fourth channel of each pixel.
  ///
  /// The fourth is alpha.
  var odd: Lanes

  /// Splits four pixels.
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

  /// The pixels with an alpha of 255.
  ///
  /// - Precondition: No channel is above 255.
  @inline(__always)
  var opaquePixels: Pixels {
    unsafeBitCast(even | odd &<< Lanes(repeating: 8), to: Pixels.self) | Pixels(repeating: 0xFF00_0000)
  }

  /// The alpha of each pixel, repeated for each of its channels.
  @inline(__always)
  var alphas: Lanes {
    let words = unsafeBitCast(odd, to: Pixels.self)
    return unsafeBitCast(words &>> Pixels(repeating: 16) | words & Pixels(repeating: 0xFFFF_0000), to: Lanes.self)
  }

  /// Returns the product of each channel with another, where 255 represents 1, rounded to nearest.
  @inline(__always)
  func multiplied(by other: PixelChannels) -> PixelChannels {
    PixelChannels(
      even: PixelChannels.dividedBy255(even &* other.even), odd: PixelChannels.dividedBy255(odd &* other.odd))
  }

  /// Returns the channels blended over others with an opacity of 0 to 255 for each, rounded to nearest.
  @inline(__always)
  func mixed(with below: PixelChannels, opacity: Lanes) -> PixelChannels {
    let rest = Lanes(repeating: 255) &- opacity
    return PixelChannels(
      even: PixelChannels.dividedBy255(even &* opacity &+ below.even &* rest),
      odd: PixelChannels.dividedBy255(odd &* opacity &+ below.odd &* rest))
  }

  /// Returns the alpha of four pixels, repeated for each of their channels.
  @inline(__always)
  static func alphas(of pixels: Pixels) -> Lanes {
    let alphas = pixels &>> Pixels(repeating: 24)
    return unsafeBitCast(alphas | alphas &<< Pixels(repeating: 16), to: Lanes.self)
  }

  /// Returns products divided by 255, rounded to nearest.
  ///
  /// Exact for 0 to 65,025.
  ///
  /// The values are products of two channels, or sums of such products whose factors add up to 255.
  @inline(__always)
  static func dividedBy255(_ products: Lanes) -> Lanes {
    let raised = products &+ Lanes(repeating: 128)
    return (raised &+ raised &>> Lanes(repeating: 8)) &>> Lanes(repeating: 8)
  }
}
