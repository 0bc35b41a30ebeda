/// Asks whether the work is still wanted, not for every row of a narrow picture but every so many pixels.
struct WorkMeter {
  private static let pixelsBetweenQuestions = 1 << 16

  private let interruption: DecodingInterruption
  private var pixels = 0

  init(_ interruption: DecodingInterruption) {
    self.interruption = interruption
  }

  /// Notes work that was done.
  mutating func add(_ count: Int) throws(DecodingError) {
    pixels += count
    if pixels >= WorkMeter.pixelsBetweenQuestions {
      pixels = 0
      try interruption.check()
    }
  }
}
