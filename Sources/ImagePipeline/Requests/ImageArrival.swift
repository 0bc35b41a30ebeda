/// The end of requests for a key: their picture, or why there is none; or, before that, the file's own small picture.
public struct ImageArrival: Sendable {
  /// What was asked for.
  public let key: ImageKey
  /// Who asked for it, in the order of asking.
  public let tickets: [ImageTicket]
  /// How good the picture is: below ``ImageRung/full`` the requests go on.
  public let representation: ImageRepresentation
  /// What became of it.
  public let outcome: ImageOutcome

  /// Makes an arrival.
  public init(
    key: ImageKey, tickets: [ImageTicket] = [], representation: ImageRepresentation = .full, outcome: ImageOutcome
  ) {
    self.key = key
    self.tickets = tickets
    self.representation = representation
    self.outcome = outcome
  }

  /// Whether the requests have ended with it.
  public var isFinal: Bool { representation == .full }
}
