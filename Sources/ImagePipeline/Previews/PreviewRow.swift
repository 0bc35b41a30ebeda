/// How rows of up to 32 numbers are laid out: in parts that the processor's registers hold, so that sums stay in them.
enum PreviewRow {
  /// Eight numbers of a row.
  typealias Part = SIMD8<Float>

  /// The parts of a row.
  static let parts = 4
  /// The most numbers in a row.
  static let longest = parts * Part.scalarCount

  /// A number of rows that stand one behind the other.
  @inline(__always)
  static func number(_ place: Int, ofRow row: Int, in rows: [Part]) -> Float {
    rows.withUnsafeBytes {
      $0.load(fromByteOffset: (row * longest + place) * MemoryLayout<Float>.stride, as: Float.self)
    }
  }

  /// Sets a number of rows that stand one behind the other.
  @inline(__always)
  static func set(_ place: Int, ofRow row: Int, in rows: inout [Part], to number: Float) {
    rows.withUnsafeMutableBytes {
      $0.storeBytes(of: number, toByteOffset: (row * longest + place) * MemoryLayout<Float>.stride, as: Float.self)
    }
  }
}
