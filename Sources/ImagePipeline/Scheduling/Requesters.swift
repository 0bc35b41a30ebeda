import FramePacing

/// Who waits for a task's picture, and until when each can.
struct Requesters: Sendable {
  // Hardly ever more than one or two.
  private var entries: [(ticket: ImageTicket, deadline: FrameInstant)] = []

  /// Whether nobody waits.
  var isEmpty: Bool { entries.isEmpty }
  /// The tickets, in the order of asking.
  var tickets: [ImageTicket] { entries.map(\.ticket) }
  /// The earliest deadline, which is the task's; nothing where nobody waits.
  var deadline: FrameInstant? { entries.map(\.deadline).min() }

  /// Takes a ticket in, or gives it another deadline.
  /// - Complexity: O(tickets).
  mutating func setDeadline(_ deadline: FrameInstant, for ticket: ImageTicket) {
    if let place = entries.firstIndex(where: { $0.ticket == ticket }) {
      entries[place].deadline = deadline
    } else {
      entries.append((ticket, deadline))
    }
  }

  /// Lets a ticket go.
  mutating func remove(_ ticket: ImageTicket) { entries.removeAll { $0.ticket == ticket } }
}
