import FramePacing

/// What a decode will take, by the file's bytes and by what the last decodes took on this machine.
struct DecodingEstimate: Hashable, Sendable {
  /// How much longer decodes take than the modelled cost, as a moving average.
  private var factor = 1.0

  private static let weightOfNewest = 1.0 / 8
  private static let bounds = 0.1...20.0

  /// The time of a decode.
  func duration(fileBytes: Int) -> FrameDuration { DecodingCost.duration(fileBytes: fileBytes) * factor }

  /// Learns from a decode.
  mutating func recordDecode(fileBytes: Int, took: FrameDuration) {
    let modelled = DecodingCost.duration(fileBytes: fileBytes)
    guard fileBytes > 0, took > .zero else { return }
    let seen = Double(took.nanoseconds) / Double(modelled.nanoseconds)
    let clamped = min(max(seen, DecodingEstimate.bounds.lowerBound), DecodingEstimate.bounds.upperBound)
    factor += (clamped - factor) * DecodingEstimate.weightOfNewest
  }
}
