/// How light becomes the numbers of a picture: a soft shoulder, sRGB's encoding and a gentle S, in one table.
///
/// The table is read by the upper bits of a number's own encoding: 128 steps to each doubling of the light.
final class ToneCurve {
  /// The least light that the table tells from black is two to the -13th; the most is 8.
  private static let first = Float(sign: .plus, exponent: -13, significand: 1).bitPattern >> 16
  private static let count = 16 * 128

  private let steps: Sheet<SIMD2<Float>>

  /// Makes the curve of a picture.
  ///
  /// - Parameters:
  ///   - exposure: what light is multiplied by.
  ///   - contrast: how strongly lights and darks are set apart, 0 to 1.
  ///   - grain: the deviation of the grain in the mid tones, in 1/255.
  init(exposure: Float, contrast: Float, grain: Float) {
    steps = Sheet(width: ToneCurve.count, height: 1, filledWith: .zero)
    for index in 0..<ToneCurve.count {
      // The middle of the step.
      let bits = (UInt32(index) + ToneCurve.first) << 16 | 0x8000
      var light = Float(bitPattern: bits) * exposure
      if index == 0 { light = 0 }
      // Above the shoulder light comes closer to white without reaching it.
      let over = max(0, light - 0.72)
      light = min(1, min(light, 0.72) + over / (1 + over / 0.30))
      var encoded = light <= 0.003_130_8 ? light * 12.92 : 1.055 * power(light, 1 / 2.4) - 0.055
      encoded += (encoded - 0.46) * encoded * (1 - encoded) * contrast
      // Most grain in the lower mid tones, little in black and white.
      let strength = grain * (0.42 + 2.6 * encoded * (1 - encoded) * (1.15 - encoded))
      steps.cells[index] = SIMD2(encoded * 255, strength)
    }
  }

  /// The number from 0 to 255 of a light, and the grain that belongs to it.
  @inline(__always) func step(_ light: Float) -> SIMD2<Float> {
    // Lights below zero do not occur; their bits would be above every other's.
    let bits = Int(light.bitPattern >> 16) &- Int(ToneCurve.first)
    return steps.cells[max(0, min(ToneCurve.count &- 1, bits))]
  }
}
