/// How far an item reaches across the flow as a multiple of how far it reaches along it, in two bytes: the aspect ratio
/// in rows, its inverse in columns.
///
/// A floating-point number without sign, with 4 bits of exponent and 12 of fraction: from 1 / 256 to 256, to within an
/// eighth of a thousandth. A picture 4 000 pixels wide is half a pixel off at most.
struct JustifiedShare: Hashable, Sendable {
  private let code: UInt16

  /// The code of 2^-8 if a Float's exponent of 8 bits and 12 bits of its fraction were the code.
  private static let least: UInt32 = (127 - 8) << 12

  /// The nearest share to a number; what is beyond both ends counts as the end.
  init(_ number: Double) {
    let bits = Float(max(0x1p-8, min(number, 255))).bitPattern
    code = UInt16(truncatingIfNeeded: ((bits + 1 << 10) >> 11) - JustifiedShare.least)
  }

  /// The number.
  var value: Double { Double(Float(bitPattern: (UInt32(code) + JustifiedShare.least) << 11)) }
}
