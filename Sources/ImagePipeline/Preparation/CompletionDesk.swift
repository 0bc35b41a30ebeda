/// Who is called when requests end.
@MainActor
final class CompletionRegistry {
  private var completions: [ImageTicket: @MainActor (ImageOutcome) -> Void] = [:]
  /// Requests that were taken back by a completion while arrivals are handed out.
  private var cancelledTickets: Set<ImageTicket> = []
  private var isDelivering = false

  /// Nobody is to be called.
  init() {}

  /// Has a request's end told.
  func register(_ ticket: ImageTicket, _ completion: @escaping @MainActor (ImageOutcome) -> Void) {
    completions[ticket] = completion
  }

  /// A request was taken back: nobody is told of its end, which may be among the arrivals that are handed out now.
  func removeCompletion(_ ticket: ImageTicket) {
    completions[ticket] = nil
    if isDelivering { cancelledTickets.insert(ticket) }
  }

  /// Nobody is to be called any more.
  func removeAll() { completions = [:] }

  /// Calls those who wait for the requests that have ended, in the order of arrival and then of asking.
  ///
  /// What a completion takes back ends with that, also where its turn was next.
  ///
  /// - Returns: what nobody was called for.
  func deliver(_ arrivals: [ImageArrival]) -> [ImageArrival] {
    guard !completions.isEmpty else { return arrivals }
    isDelivering = true
    defer {
      isDelivering = false
      cancelledTickets = []
    }
    // Told apart before the first is called: completions may ask and cancel.
    let called = arrivals.map { arrival in arrival.tickets.filter { completions[$0] != nil } }
    for (arrival, tickets) in zip(arrivals, called) where arrival.isFinal {
      for ticket in tickets { completions.removeValue(forKey: ticket)?(arrival.outcome) }
    }
    return zip(arrivals, called).compactMap { arrival, called in
      let others = arrival.tickets.filter { !called.contains($0) && !cancelledTickets.contains($0) }
      guard !others.isEmpty else { return nil }
      return ImageArrival(
        key: arrival.key, tickets: others, representation: arrival.representation, outcome: arrival.outcome)
    }
  }
}
