import FramePacing
import Threads

/// What was begun elsewhere and is due on a modelled time line: told in the order in which it is due, however long it
/// really takes.
@MainActor
final class DueErrands {
  private struct Due {
    let number: UInt64
    let instant: FrameInstant
  }

  private struct Desk {
    var expected: Set<UInt64> = []
    var ended: [UInt64: @MainActor () -> Void] = [:]
    /// Whether nobody waits any more.
    var isLeft = false
  }

  private let desk = Lock(Desk())
  /// Those that are due first, first; of equal ones the one that was begun first.
  private var dues: [Due] = []
  private var nextNumber: UInt64 = 1

  /// Nothing is expected.
  init() {}

  /// When the next one is due.
  var next: FrameInstant? { dues.first?.instant }

  /// The number that the next one will have.
  var mark: UInt64 { nextNumber }

  /// Something is begun, and due at an instant.
  /// - Returns: its number.
  /// - Complexity: O(those that are expected).
  func expect(at instant: FrameInstant) -> UInt64 {
    let number = nextNumber
    nextNumber += 1
    let place = dues.firstIndex { $0.instant > instant } ?? dues.count
    dues.insert(Due(number: number, instant: instant), at: place)
    desk.withLock { _ = $0.expected.insert(number) }
    return number
  }

  /// It is not wanted any more.
  func withdraw(_ number: UInt64) {
    dues.removeAll { $0.number == number }
    desk.withLock { desk in
      desk.expected.remove(number)
      desk.ended[number] = nil
    }
  }

  /// It has ended really; from any thread.
  ///
  /// Nothing where it is not expected, or has ended before.
  nonisolated func end(_ number: UInt64, _ telling: @escaping @MainActor () -> Void) {
    desk.withLock { desk in
      if desk.expected.remove(number) != nil { desk.ended[number] = telling }
    }
    desk.wakeAll()
  }

  /// Waits until all that are due by an instant have ended really.
  func wait(dueBy instant: FrameInstant) {
    for due in dues.prefix(while: { $0.instant <= instant }) {
      desk.wait { $0.isLeft || $0.ended[due.number] != nil ? () : nil }
    }
  }

  /// Waits for nothing any more, now and from now on; from any thread.
  nonisolated func stopWaiting() {
    desk.withLock { $0.isLeft = true }
    desk.wakeAll()
  }

  /// What tells the next one that is due by an instant; waits where it has not ended really.
  ///
  /// - Parameter mark: those of this number and later ones are left, for another time.
  /// - Returns: nothing also where it has not ended and nobody waits any more.
  func takeNext(dueBy instant: FrameInstant, begunBefore mark: UInt64) -> (@MainActor () -> Void)? {
    // Those that were begun later are due later, or stand behind.
    guard let due = dues.first, due.instant <= instant, due.number < mark else { return nil }
    let telling = desk.wait { desk -> (@MainActor () -> Void)?? in
      if let telling = desk.ended.removeValue(forKey: due.number) { return .some(telling) }
      return desk.isLeft ? .some(nil) : .none
    }
    if telling != nil { dues.removeFirst() }
    return telling
  }

  /// Nothing is wanted any more.
  func removeAll() {
    dues = []
    desk.withLock { desk in
      desk.expected = []
      desk.ended = [:]
    }
  }
}
