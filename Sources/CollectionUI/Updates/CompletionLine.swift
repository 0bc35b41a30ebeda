import DataStructures

/// Decides when completion handlers are called: in the order of their applies, each once its update was seen, and its
/// motion has ended or was cut short.
nonisolated struct CompletionQueue: Sendable {
  private struct Entry: Sendable {
    var ticket: Int
    var isSeen = false
    var isMoving: Bool
    var isFinished = true
  }

  private var entries: [Entry] = []

  /// Whether nobody waits.
  var isEmpty: Bool { entries.isEmpty }

  /// An update was carried out: so many wait for it.
  ///
  /// - Parameter isMoving: whether its way is shown in the coming frames.
  mutating func add(_ tickets: [Int], isMoving: Bool) {
    for ticket in tickets { entries.append(Entry(ticket: ticket, isMoving: isMoving)) }
  }

  /// Another update begins: what moves does not come to its end.
  ///
  /// Who waits for that is told in the next collect phase, before any frame shows the other.
  mutating func interruptAnimations() {
    for place in entries.indices where entries[place].isMoving {
      entries[place].isMoving = false
      entries[place].isFinished = false
      entries[place].isSeen = true
    }
  }

  /// A frame is being made of what is shown.
  mutating func markShown() { for place in entries.indices { entries[place].isSeen = true } }

  /// Everything has come to its place.
  mutating func markAnimationsEnded() {
    for place in entries.indices where entries[place].isSeen { entries[place].isMoving = false }
  }

  /// Who is to be told next; where no frames run, whoever is first: what moves then does not come to its end.
  mutating func next(framesRun: Bool) -> (ticket: Int, isFinished: Bool)? {
    guard let first = entries.first, !framesRun || (first.isSeen && !first.isMoving) else { return nil }
    entries.removeFirst()
    return (first.ticket, first.isFinished && !first.isMoving)
  }
}
