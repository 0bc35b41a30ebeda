import DataStructures

/// Random numbers as a painter wants them, the same on every machine.
struct PaintRandom: Sendable {
  private var numbers: SplitMix64

  /// A stream named by a seed.
  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  /// A stream of its own for a part of a scene, so that one part's draws never move another's.
  init(seed: UInt64, _ stream: UInt64) {
    self.init(seed: SplitMix64.mix(seed) ^ (stream &* 0xD1B5_4A32_D192_ED03))
  }

  /// The next 64 bits.
  mutating func next() -> UInt64 { numbers.next() }

  /// A number in 0..<1.
  mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// A number in a range.
  mutating func within(_ range: ClosedRange<Float>) -> Float {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  /// A whole number in 0..<bound; the bias of the remainder is far below what an eye sees.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// Whether something of this probability happens.
  mutating func chance(_ probability: Float) -> Bool { unit() < probability }

  /// Minus one or one.
  mutating func side() -> Float { chance(0.5) ? -1 : 1 }

  /// A number of mean 0 and deviation 1, nearly normal: the sum of four uniform ones.
  mutating func bell() -> Float { (unit() + unit() + unit() + unit() - 2) * 1.732_050_8 }

  /// One of the elements; the array must not be empty.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
