import Threads

/// The last decodes of a run, noted by the workers as they end.
///
/// A pipeline that is given none notes nothing. From any thread.
public final class DecodeJournal: Sendable {
  private struct State {
    var spans: [DecodeSpan] = []
    var count = 0
  }

  /// How many decodes are kept unless told.
  public static let defaultCapacity = 1 << 15

  private let capacity: Int
  private let state = Lock(State())

  /// Makes an empty journal.
  ///
  /// - Parameter capacity: how many decodes are kept, the last ones; at least one.
  public init(capacity: Int = DecodeJournal.defaultCapacity) { self.capacity = max(1, capacity) }

  /// Notes a decode that has ended.
  /// - Complexity: amortised O(1).
  public func note(_ span: DecodeSpan) {
    state.withLock { state in
      if state.spans.count < capacity {
        state.spans.append(span)
      } else {
        state.spans[state.count % capacity] = span
      }
      state.count += 1
    }
  }

  /// The decodes that are kept, in the order in which they ended.
  /// - Complexity: O(n) in the kept decodes.
  public var spans: [DecodeSpan] {
    state.withLock { state in
      let oldest = state.count > capacity ? state.count % capacity : 0
      return Array(state.spans[oldest...] + state.spans[..<oldest])
    }
  }

  /// How many decodes were noted in all, kept or not.
  public var count: Int { state.withLock { $0.count } }
}
