/// A colour of linear light: red, green, blue, where 1 is the white of paper; the fourth lane is the user's.
typealias Tint = SIMD4<Float>

extension Tint {
  /// A grey.
  static func grey(_ value: Float) -> Tint { Tint(value, value, value, 0) }

  /// A colour written as `0xRRGGBB` in sRGB.
  init(hex: UInt32) {
    func channel(_ shift: UInt32) -> Float {
      let encoded = Float(hex >> shift & 0xFF) / 255
      return encoded <= 0.040_45 ? encoded / 12.92 : power((encoded + 0.055) / 1.055, 2.4)
    }
    self.init(channel(16), channel(8), channel(0), 0)
  }

  /// Every lane without its sign.
  ///
  /// Masks and the standard library's `clamped` become a branch a lane; bits do not.
  @inline(__always) var magnitudes: Tint {
    unsafeBitCast(unsafeBitCast(self, to: SIMD4<UInt32>.self) & 0x7FFF_FFFF, to: Tint.self)
  }

  /// Every lane held between two numbers.
  @inline(__always) func held(_ low: Float, _ high: Float) -> Tint {
    let (least, most) = (Tint(repeating: low), Tint(repeating: high))
    let raised = (self + least + (self - least).magnitudes) * 0.5
    return (raised + most - (raised - most).magnitudes) * 0.5
  }

  /// How bright an eye finds it.
  @inline(__always) var luminance: Float { x * 0.2126 + y * 0.7152 + z * 0.0722 }

  /// The same colour, more or less vivid; 0 is grey, 1 is unchanged.
  func vivid(_ amount: Float) -> Tint {
    let grey = Tint.grey(luminance)
    return (grey + (self - grey) * amount).held(0, 1_000)
  }

  /// The mean of two colours as paints mix: in the square roots of their light.
  static func blend(_ start: Tint, _ end: Tint, _ part: Float) -> Tint {
    let first = start.squareRoot()
    let mixed = first + (end.squareRoot() - first) * part
    return mixed * mixed
  }
}
