import FramePacing

/// Loads one rating: begun when its cell is shown or before, handed over to the cell, and cancelled when nobody wants it.
///
/// Its states are reached in this order, and each once: it is under way, then completed or cancelled; what is completed is
/// shown or wasted.
final class DataLoadOperation {
  /// How far it has come.
  enum State {
    /// It waits for its turn, or loads.
    case underWay
    /// It was cancelled while it was under way.
    case cancelled
    /// It has loaded, and waits for a cell.
    case completed
    /// A cell took what it has loaded.
    case shown
    /// Nobody will take what it has loaded.
    case wasted
  }

  /// How long the loading takes.
  let delay: FrameDuration
  /// What is loaded then, on any thread.
  let load: @Sendable () -> EmojiRating
  /// How far it has come.
  private(set) var state = State.underWay {
    didSet { onChange(state) }
  }
  /// Called with what was loaded, once it is; whoever calls ``cancel()`` or ``abandon()`` first hears nothing.
  var loadingCompleteHandler: ((EmojiRating) -> Void)? {
    didSet { if loadingCompleteHandler != nil { onHurry() } }
  }
  /// Told of each state after the first; the queue's.
  var onChange: (State) -> Void = { _ in }
  /// Told that somebody waits; the queue's.
  var onHurry: () -> Void = {}

  private var rating: EmojiRating?
  private var isAbandoned = false

  /// Makes an operation, which a queue begins.
  init(delay: FrameDuration, load: @escaping @Sendable () -> EmojiRating) {
    self.delay = delay
    self.load = load
  }

  /// Gives what was loaded to a cell that shows it; nothing until it is there.
  func handOver() -> EmojiRating? {
    guard state == .completed, let rating else { return nil }
    state = .shown
    return rating
  }

  /// Nobody wants it any more: what is under way ends.
  func cancel() { giveUp(endsLoading: true) }

  /// Nobody wants it any more, and nobody stops it: what goes wrong where cancelling is forgotten.
  func abandon() { giveUp(endsLoading: false) }

  private func giveUp(endsLoading: Bool) {
    loadingCompleteHandler = nil
    switch state {
    case .underWay where endsLoading: state = .cancelled
    case .underWay: isAbandoned = true
    case .completed: state = .wasted
    case .cancelled, .shown, .wasted: break
    }
  }

  /// It has loaded: the queue calls this on the main actor, in a frame.
  func complete(with rating: EmojiRating) {
    guard state == .underWay else { return }
    self.rating = rating
    state = .completed
    if isAbandoned { return state = .wasted }
    guard let handler = loadingCompleteHandler else { return }
    loadingCompleteHandler = nil
    state = .shown
    handler(rating)
  }
}
