/// How far the body of an answer has come.
struct TransferProgress: Hashable, Sendable {
  /// The bytes that were taken in.
  var received = 0
  /// How many there are to be, where the server tells.
  var expected: Int?
  /// Whether more are there, which have no room.
  var isPaused = false

  /// Whether so much is there that to leave it would lose more than is won.
  var isAlmostComplete: Bool {
    guard received > 0, let expected else { return false }
    let rest = expected - received
    return rest <= TransferProgress.smallRemainder || rest <= expected / 4
  }

  /// What a connection brings at once, about.
  private static let smallRemainder = 64 << 10
}
