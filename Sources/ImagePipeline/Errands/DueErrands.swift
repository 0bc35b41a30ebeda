import FramePacing
import Threads

/// What was begun elsewhere and is due on a modelled time line: told in the order in which it is due, however long it
/// really takes.
@MainActor
final class ModelledCompletionQueue {
  private struct Entry {
    let number: UInt64
    let instant: FrameInstant
  }

  private struct State {
    var expected: Set<UInt64> = []
    var ended: [UInt64: @MainActor () -> Void] = [:]
    /// Whether nobody waits any more.
    var hasStoppedWaiting = false
  }

  private let state = Lock(State())
  /// Those that are due first, first; of equal ones the one that was begun first.
  private var entries: [Entry] = []
  private var nextNumber: UInt64 = 1

  /// Nothing is expected.
  init() {}

  /// When the next one is due.
  var nextInstant: FrameInstant? { entries.first?.instant }

  /// The number that the next one will have.
  var upcomingNumber: UInt64 { nextNumber }

  /// Something is begun, and due at an instant.
  /// - Returns: its number.
  /// - Complexity: O(those that are expected).
  func addCompletion(at instant: FrameInstant) -> UInt64 {
    let number = nextNumber
    nextNumber += 1
    let place = entries.firstIndex { $0.instant > instant } ?? entries.count
    entries.insert(Entry(number: number, instant: instant), at: place)
    state.withLock { _ = $0.expected.insert(number) }
    return number
  }

  /// It is not wanted any more.
  func removeCompletion(_ number: UInt64) {
    entries.removeAll { $0.number == number }
    state.withLock { desk in
      desk.expected.remove(number)
      desk.ended[number] = nil
    }
  }

  /// It has ended really; from any thread.
  ///
  /// Nothing where it is not expected, or has ended before.
  nonisolated func complete(_ number: UInt64, _ telling: @escaping @MainActor () -> Void) {
    state.withLock { desk in
      if desk.expected.remove(number) != nil { desk.ended[number] = telling }
    }
    state.wakeAll()
  }

  /// Waits until all that are due by an instant have ended really.
  func wait(dueBy instant: FrameInstant) {
    for due in entries.prefix(while: { $0.instant <= instant }) {
      state.wait { $0.hasStoppedWaiting || $0.ended[due.number] != nil ? () : nil }
    }
  }

  /// Waits for nothing any more, now and from now on; from any thread.
  nonisolated func stopWaiting() {
    state.withLock { $0.hasStoppedWaiting = true }
    state.wakeAll()
  }

  /// What tells the next one that is due by an instant; waits where it has not ended really.
  ///
  /// - Parameter mark: those of this number and later ones are left, for another time.
  /// - Returns: nothing also where it has not ended and nobody waits any more.
  func takeNextCompletion(dueBy instant: FrameInstant, begunBefore mark: UInt64) -> (@MainActor () -> Void)? {
    // Those that were begun later are due later, or stand behind.
    guard let due = entries.first, due.instant <= instant, due.number < mark else { return nil }
    let telling = state.wait { desk -> (@MainActor () -> Void)?? in
      if let telling = desk.ended.removeValue(forKey: due.number) { return .some(telling) }
      return desk.hasStoppedWaiting ? .some(nil) : .none
    }
    if telling != nil { entries.removeFirst() }
    return telling
  }

  /// Nothing is wanted any more.
  func removeAll() {
    entries = []
    state.withLock { desk in
      desk.expected = []
      desk.ended = [:]
    }
  }
}
