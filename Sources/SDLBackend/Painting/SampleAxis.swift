/// Where the pixels of a stretched copy are taken from, along one axis: places in 32 bits of fraction, of which eight count.
///
/// For sources of up to 65,535 pixels; of longer ones the first so many are stretched.
nonisolated struct SampleAxis {
  private let sourceStart: Int
  private let lastIndex: Int
  private let destinationStart: Int
  /// From one pixel of the destination to the next, in 48 bits of fraction: a place two thousand million pixels away is
  /// right to a hundred-thousandth.
  private let step: UInt
  private let offset: Int

  /// Lays a destination's pixels over a source's, their middles evenly spread.
  /// - Precondition: neither is empty.
  init(source: (start: Int32, length: Int32), destination: (start: Int32, length: Int32)) {
    let length = min(Int(source.length), 65_535)
    sourceStart = Int(source.start)
    lastIndex = length - 1
    destinationStart = Int(destination.start)
    step = UInt(length) << 48 / UInt(destination.length)
    // Middles over middles, and rounded to the nearest of what counts.
    offset = Int(step >> 17) - 1 << 31 + 1 << 23
  }

  /// The place of a destination's pixel that is in it, between the middles of the source's first and last.
  @inline(__always)
  func samplePosition(for place: Int32) -> Int {
    let product = UInt(Int(place) - destinationStart).multipliedFullWidth(by: step)
    let way = Int(product.high << 48 | product.low >> 16)
    return min(lastIndex << 32, max(0, way + offset)) & ~0xFF_FFFF
  }

  /// The source's pixel at or before a place.
  @inline(__always)
  func firstIndex(of sample: Int) -> Int { sourceStart + sample >> 32 }

  /// The source's pixel behind that, where there is one.
  @inline(__always)
  func secondIndex(of sample: Int) -> Int { sourceStart + min(lastIndex, sample >> 32 + 1) }

  /// How much of the second there is, of 256.
  @inline(__always)
  static func weight(of sample: Int) -> UInt32 { UInt32(truncatingIfNeeded: sample >> 24 & 0xFF) }

  /// The first of the source's pixels that a destination's needs.
  func firstIndex(for place: Int32) -> Int { firstIndex(of: samplePosition(for: place)) }

  /// The last of the source's pixels that a destination's needs.
  func secondIndex(for place: Int32) -> Int { secondIndex(of: samplePosition(for: place)) }
}
