/// How a frame's number is drawn so that somebody outside reads it from pixels: a row of square cells, white or black.
///
/// The first is white and the second black, sixteen follow for the number's last bits, the highest first, and four that check
/// those: the exclusive or of the number's nibbles and 1010.
struct FrameNumberStripe: Hashable {
  /// Cells of a stripe.
  static let cellCount = 22
  /// The side of a cell, in points.
  static let cellSize = 8.0
  /// How many numbers are told apart; then they begin anew.
  static let numberCount = 1 << 16

  /// The cells, the first in bit 21: 1 is white.
  let cells: UInt32

  /// The stripe of a frame.
  ///
  /// - Parameter number: the frame's number; its last 16 bits count.
  init(number: Int) {
    let bits = UInt32(truncatingIfNeeded: number) & 0xFFFF
    cells = 0b10 << 20 | bits << 4 | FrameNumberStripe.checksum(of: bits)
  }

  /// A stripe that was read.
  init(cells: UInt32) { self.cells = cells }

  /// The last 16 bits of the frame's number; nothing where the cells are no stripe's.
  var number: Int? {
    let bits = cells >> 4 & 0xFFFF
    return cells >> 20 == 0b10 && cells & 0xF == FrameNumberStripe.checksum(of: bits) ? Int(bits) : nil
  }

  /// Whether a cell is white.
  func isWhite(_ place: Int) -> Bool { cells >> UInt32(FrameNumberStripe.cellCount - 1 - place) & 1 == 1 }

  private static func checksum(of bits: UInt32) -> UInt32 { (bits >> 12 ^ bits >> 8 ^ bits >> 4 ^ bits ^ 0b1010) & 0xF }
}
