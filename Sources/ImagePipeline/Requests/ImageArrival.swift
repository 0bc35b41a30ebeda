/// The end of a request: its picture, or why there is none.
public struct ImageArrival: Sendable {
  /// What was asked for.
  public let key: ImageKey
  /// What became of it.
  public let outcome: ImageOutcome

  /// Makes an arrival.
  public init(key: ImageKey, outcome: ImageOutcome) {
    self.key = key
    self.outcome = outcome
  }
}
