// The C library's own may differ in the last bit from one version to the next; the painted files must not.

/// Two to a power, to about six digits.
@inline(__always) func exponential2(_ power: Float) -> Float {
  let held = max(-120, min(120, power))
  let whole = floored(held)
  let part = held - Float(whole)
  var series: Float = 0.001_339_887
  series = series * part + 0.009_618_437
  series = series * part + 0.055_503_32
  series = series * part + 0.240_227_22
  series = series * part + 0.693_147_2
  series = series * part + 1
  return Float(bitPattern: UInt32(truncatingIfNeeded: whole &+ 127) << 23) * series
}

/// e to a power, to about six digits.
@inline(__always) func exponential(_ power: Float) -> Float { exponential2(power * 1.442_695) }

/// The logarithm to base two of a positive number, to about five digits.
@inline(__always) func logarithm2(_ value: Float) -> Float {
  let bits = max(value, 1e-30).bitPattern
  let exponent = Float(Int32(truncatingIfNeeded: bits >> 23) &- 127)
  let mantissa = Float(bitPattern: bits & 0x007F_FFFF | 0x3F80_0000)
  // The series of atanh in (m - 1) / (m + 1), about the middle of 1...2.
  let shifted = mantissa * 0.707_106_77
  let ratio = (shifted - 1) / (shifted + 1)
  let square = ratio * ratio
  var series: Float = 1.0 / 7
  series = series * square + 0.2
  series = series * square + 1.0 / 3
  series = series * square + 1
  return exponent + 0.5 + ratio * series * 2.885_390_1
}

/// A number not below zero to a power.
@inline(__always) func power(_ base: Float, _ exponent: Float) -> Float {
  base <= 0 ? 0 : exponential2(logarithm2(base) * exponent)
}

/// The sine of an angle in radians, to about five digits.
@inline(__always) func sine(_ angle: Float) -> Float {
  var turns = angle * 0.159_154_94
  turns -= Float(floored(turns + 0.5))
  // A quarter on each side of zero, mirrored.
  if turns > 0.25 { turns = 0.5 - turns } else if turns < -0.25 { turns = -0.5 - turns }
  let radians = turns * 6.283_185_3
  let square = radians * radians
  return radians
    * (1 + square * (-0.166_666_55 + square * (0.008_332_16 + square * (-0.000_195_15))))
}

/// The cosine of an angle in radians, to about five digits.
@inline(__always) func cosine(_ angle: Float) -> Float { sine(angle + 1.570_796_3) }
