import CollectionUI

/// An operation that loads one rating.
///
/// It starts when its cell is displayed or prefetched, and is cancelled when the rating is no longer needed. A pending
/// operation becomes completed or cancelled; a completed one becomes shown or wasted.
final class DataLoadOperation {
  /// The state of an operation.
  enum State {
    /// The operation is waiting or loading.
    case pending
    /// The operation was cancelled before it completed.
    case cancelled
    /// The rating is loaded and no cell has used it yet.
    case completed
    /// A cell has used the rating.
    case shown
    /// The rating was loaded and discarded.
    case wasted
  }

  /// The time that loading takes.
  let delay: FrameDuration
  /// The closure that loads the rating, called on any thread.
  let load: @Sendable () -> EmojiRating
  /// The current state.
  private(set) var state = State.pending {
    didSet { onStateChange(state) }
  }
  /// The handler to call with the rating.
  ///
  /// It is not called after ``cancel()`` or ``abandon()``.
  var loadingCompleteHandler: ((EmojiRating) -> Void)? {
    didSet { if loadingCompleteHandler != nil { onPrioritize() } }
  }
  /// Called after each change of the state; set by the queue.
  var onStateChange: (State) -> Void = { _ in }
  /// Called when a handler is set, which means that a visible cell is waiting; set by the queue.
  var onPrioritize: () -> Void = {}

  private var rating: EmojiRating?
  private var isAbandoned = false

  /// Creates an operation, to be added to a queue.
  init(delay: FrameDuration, load: @escaping @Sendable () -> EmojiRating) {
    self.delay = delay
    self.load = load
  }

  /// Returns the rating to the cell that shows it, or nil if it is not loaded or was used.
  func takeRating() -> EmojiRating? {
    guard state == .completed, let rating else { return nil }
    state = .shown
    return rating
  }

  /// Cancels the operation, or discards its rating.
  func cancel() { discard(cancelsLoading: true) }

  /// Discards the rating without cancelling the operation, as a program that does not support cancellation would.
  func abandon() { discard(cancelsLoading: false) }

  private func discard(cancelsLoading: Bool) {
    loadingCompleteHandler = nil
    switch state {
    case .pending where cancelsLoading: state = .cancelled
    case .pending: isAbandoned = true
    case .completed: state = .wasted
    case .cancelled, .shown, .wasted: break
    }
  }

  /// Completes the operation; called by the queue on the main actor, in a frame.
  func complete(with rating: EmojiRating) {
    guard state == .pending else { return }
    self.rating = rating
    state = .completed
    if isAbandoned { return state = .wasted }
    guard let handler = loadingCompleteHandler else { return }
    loadingCompleteHandler = nil
    state = .shown
    handler(rating)
  }
}

/// The counts of the operations of a run.
struct OperationCounts: Hashable {
  /// The number of operations added to the queue.
  private(set) var started = 0
  /// The number of operations cancelled before they completed.
  private(set) var cancelled = 0
  /// The number of completed operations.
  private(set) var completed = 0
  /// The number of completed operations whose rating was shown.
  private(set) var shown = 0
  /// The number of completed operations whose rating was discarded.
  private(set) var wasted = 0

  /// The number of pending operations.
  var running: Int { started - cancelled - completed }
  /// The number of completed operations whose cell has not been displayed yet.
  var ahead: Int { completed - shown - wasted }

  /// Records that an operation was added to the queue.
  mutating func recordStart() { started += 1 }

  /// Records that an operation entered a state.
  mutating func record(_ state: DataLoadOperation.State) {
    switch state {
    case .pending: break
    case .cancelled: cancelled += 1
    case .completed: completed += 1
    case .shown: shown += 1
    case .wasted: wasted += 1
    }
  }
}
