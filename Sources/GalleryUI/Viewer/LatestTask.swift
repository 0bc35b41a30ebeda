import VitrineRendering

/// Work off the frame thread of which only the newest result is of interest.
///
/// Invariants:
/// - At most one task runs, also if a file system does not answer. The newest request starts when it has ended.
/// - The value is that of the last request, or nil until it is known.
/// - Without a thread, or if the system cannot create one, the work is done at once.
final class LatestTask<Request: Hashable & Sendable, Value: Sendable> {
  private let thread: ArrangementThread?
  private let work: @Sendable (Request) -> Value
  private var running: (request: Request, task: BackgroundTask<Value>)?
  private var result: (request: Request, value: Value)?
  /// The last request, or nil.
  private(set) var request: Request?

  /// Creates an owner without a request.
  ///
  /// - Parameters:
  ///   - thread: The thread for the work, or nil.
  ///   - work: The work, on another thread.
  init(thread: ArrangementThread?, work: @escaping @Sendable (Request) -> Value) {
    self.thread = thread
    self.work = work
  }

  /// The result of the last request, or nil if it is not known yet or there is no request.
  var value: Value? { result.flatMap { $0.request == request ? $0.value : nil } }

  /// Whether the result of the last request is not known yet.
  var isRunning: Bool { request != nil && value == nil }

  /// Sets the request; nil for none.
  func setRequest(_ request: Request?) {
    guard request != self.request else { return }
    self.request = request
    if request == nil { result = nil }
    startIfNeeded()
  }

  /// Whether ``collect()`` finds the result of a task.
  var hasPendingResult: Bool { running?.task.hasResult ?? false }

  /// Receives the result of a task, and starts the next one.
  ///
  /// - Returns: Whether there is a new value.
  func collect() -> Bool {
    guard let running, let value = running.task.takeResult() else { return false }
    self.running = nil
    if running.request == request { result = (running.request, value) }
    startIfNeeded()
    return self.value != nil
  }

  private func startIfNeeded() {
    guard let request, running == nil, result?.request != request else { return }
    let work = work
    if let task = thread?.makeTask({ _ in work(request) }) {
      running = (request, task)
    } else {
      result = (request, work(request))
    }
  }
}

/// A bitmap as a request, which equals another one if it is the same object.
nonisolated struct BitmapReference: Hashable, Sendable {
  /// The bitmap.
  let bitmap: Bitmap

  static func == (first: BitmapReference, second: BitmapReference) -> Bool { first.bitmap === second.bitmap }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(bitmap)) }
}
