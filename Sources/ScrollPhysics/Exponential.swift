/// The exponential function and its inverse in plain arithmetic.
///
/// The C library picks other instructions on other processors, and the last bit differs with them; a replay must give
/// the same frames on every machine. Addition, multiplication and division are exact to the last bit everywhere.
package enum Exponential {
  private static let log2High = 6.931_471_803_691_238_164_90e-01
  private static let log2Low = 1.908_214_929_270_587_700_02e-10

  /// e to a power, within two units in the last place; 0 below -745, and powers above 709 count as 709.
  package static func exp(_ power: Double) -> Double {
    guard power > -745 else { return 0 }
    let bounded = min(power, 709)
    let steps = (bounded / 0.693_147_180_559_945_309_42).rounded()
    let rest = (bounded - steps * log2High) - steps * log2Low
    // Taylor's series by Horner's rule: |rest| <= 0.347, so the first term left out is below 4e-18.
    var sum = 1.0
    var divisor = 13.0
    while divisor >= 1 {
      sum = 1 + rest * sum / divisor
      divisor -= 1
    }
    return sum * Double(sign: .plus, exponent: Int(steps), significand: 1)
  }

  /// The natural logarithm of a positive finite number; of anything else, that of the least positive number.
  package static func log(_ number: Double) -> Double {
    let positive = number > 0 ? min(number, .greatestFiniteMagnitude) : .leastNonzeroMagnitude
    var exponent = Double(positive.exponent)
    var fraction = positive.significand
    if fraction > 1.414_213_562_373_095 {
      fraction /= 2
      exponent += 1
    }
    // log m = 2 artanh((m - 1) / (m + 1)); the quotient is at most 0.172, so eleven odd powers are enough.
    let quotient = (fraction - 1) / (fraction + 1)
    let square = quotient * quotient
    var sum = 0.0
    var odd = 21.0
    while odd >= 1 {
      sum = sum * square + 1 / odd
      odd -= 2
    }
    return exponent * log2High + (exponent * log2Low + 2 * quotient * sum)
  }
}
