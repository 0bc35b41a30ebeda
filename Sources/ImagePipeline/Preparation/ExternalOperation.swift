public import VitrineFramePacing
import VitrineThreads

extension ImagePipeline {
  /// Starts work on other threads and delivers its result in the collect phase of a frame, which is requested for it.
  ///
  /// On a modelled timeline the result is delivered when the given duration has passed since the start, however long
  /// the work really takes. If it has not finished by then, the loop waits for it and does not count that time.
  ///
  ///     let loading = pipeline.startOperation(modelledDuration: .milliseconds(120)) { deliver in
  ///       transfers.fetch(request) { deliver($0) }
  ///     } completion: { result in … }
  ///
  /// - Parameters:
  ///   - duration: The duration on a modelled timeline. Default: nil, the result is delivered when the work finishes.
  ///   - begin: A closure, called immediately, that starts the work. The work calls `deliver` once, from any thread,
  ///     possibly before `begin` returns. The closure returns an object that cancels the work, or nil if there is
  ///     nothing to cancel.
  ///   - completion: A closure called once, in the collect phase of a later frame, even if the work takes no time. Not
  ///     called if the operation is cancelled or the pipeline is shut down.
  /// - Returns: An object that cancels the operation.
  /// - Precondition: The work always delivers a result, possibly a failure, and does not depend on the render thread:
  ///   on a modelled timeline the render thread waits for it without a limit.
  /// - Complexity: O(1); O(running operations) on a modelled timeline.
  @discardableResult
  public func startOperation<Value: Sendable>(
    modelledDuration duration: FrameDuration? = nil,
    _ begin: (_ deliver: @escaping @Sendable (Value) -> Void) -> (any Cancellable)?,
    completion: @escaping @MainActor (Value) -> Void
  ) -> any Cancellable {
    guard let modelledCompletions, let duration else {
      let operation = ExternalOperation(completion: completion) {}
      let mailbox = mailbox
      operation.setOperation(begin { value in mailbox.postWork { operation.finish(value) } })
      return operation
    }
    let number = modelledCompletions.addCompletion(at: now + max(.zero, duration))
    let operation = ExternalOperation(completion: completion) { modelledCompletions.removeCompletion(number) }
    operation.setOperation(begin { value in modelledCompletions.complete(number) { operation.finish(value) } })
    return operation
  }
}

/// Work on other threads whose result has not been delivered yet.
@MainActor
private final class ExternalOperation<Value: Sendable>: Deferrable {
  private var completion: (@MainActor (Value) -> Void)?
  private var operation: (any Cancellable)?
  private var onCancel: () -> Void

  /// Creates an operation that is about to start.
  ///
  /// - Parameters:
  ///   - completion: A closure called with the result.
  ///   - onCancel: A closure called on cancellation.
  init(completion: @escaping @MainActor (Value) -> Void, onCancel: @escaping () -> Void) {
    self.completion = completion
    self.onCancel = onCancel
  }

  /// Sets the object that cancels the work; cancels it immediately if the operation was cancelled before.
  func setOperation(_ operation: (any Cancellable)?) {
    if completion == nil { operation?.cancel() } else { self.operation = operation }
  }

  /// Calls the completion.
  ///
  /// Has no effect when called again.
  func finish(_ value: Value) {
    let completion = completion
    releaseReferences()
    completion?(value)
  }

  func updateDeadline(_ deadline: FrameInstant) { (operation as? any Deferrable)?.updateDeadline(deadline) }

  func cancel() {
    guard completion != nil else { return }
    let (operation, onCancel) = (operation, onCancel)
    releaseReferences()
    operation?.cancel()
    onCancel()
  }

  private func releaseReferences() {
    completion = nil
    operation = nil
    onCancel = {}
  }
}

/// A queue of operations on a modelled timeline, whose completions are called when they are due, in that order.
@MainActor
final class ModelledCompletionQueue {
  private struct Entry {
    let number: UInt64
    let instant: FrameInstant
  }

  private struct State {
    var expected: Set<UInt64> = []
    var ended: [UInt64: @MainActor () -> Void] = [:]
    /// Whether the render thread must not wait any more.
    var hasStoppedWaiting = false
  }

  private let state = Lock(State())
  /// The pending operations, ordered by due time, then by start.
  private var entries: [Entry] = []
  private var nextNumber: UInt64 = 1

  /// Creates an empty queue.
  init() {}

  /// The due time of the next operation.
  var nextInstant: FrameInstant? { entries.first?.instant }

  /// The number that the next operation will get.
  var upcomingNumber: UInt64 { nextNumber }

  /// Adds an operation that is due at an instant and returns its number.
  /// - Complexity: O(pending operations).
  func addCompletion(at instant: FrameInstant) -> UInt64 {
    let number = nextNumber
    nextNumber += 1
    let index = entries.firstIndex { $0.instant > instant } ?? entries.count
    entries.insert(Entry(number: number, instant: instant), at: index)
    state.withLock { _ = $0.expected.insert(number) }
    return number
  }

  /// Removes an operation.
  func removeCompletion(_ number: UInt64) {
    entries.removeAll { $0.number == number }
    state.withLock { state in
      state.expected.remove(number)
      state.ended[number] = nil
    }
  }

  /// Records that the work has finished; callable from any thread.
  ///
  /// Has no effect on an operation that was removed or has finished before.
  nonisolated func complete(_ number: UInt64, _ completion: @escaping @MainActor () -> Void) {
    state.withLock { state in
      if state.expected.remove(number) != nil { state.ended[number] = completion }
    }
    state.wakeAll()
  }

  /// Waits until all operations due by an instant have finished.
  func wait(dueBy instant: FrameInstant) {
    for entry in entries.prefix(while: { $0.instant <= instant }) {
      state.wait { $0.hasStoppedWaiting || $0.ended[entry.number] != nil ? () : nil }
    }
  }

  /// Ends all waiting, now and in future; callable from any thread.
  nonisolated func stopWaiting() {
    state.withLock { $0.hasStoppedWaiting = true }
    state.wakeAll()
  }

  /// Removes the next operation due by an instant and returns its completion.
  ///
  /// Waits until its work has finished.
  ///
  /// - Parameter number: The first number to leave out.
  /// - Returns: The completion; nil if no operation is due, or waiting was stopped before the work finished.
  func takeNextCompletion(dueBy instant: FrameInstant, startedBefore number: UInt64) -> (@MainActor () -> Void)? {
    // Operations that were started later follow in the queue.
    guard let entry = entries.first, entry.instant <= instant, entry.number < number else { return nil }
    let completion = state.wait { state -> (@MainActor () -> Void)?? in
      if let completion = state.ended.removeValue(forKey: entry.number) { return .some(completion) }
      return state.hasStoppedWaiting ? .some(nil) : .none
    }
    if completion != nil { entries.removeFirst() }
    return completion
  }

  /// Removes all operations.
  func removeAll() {
    entries = []
    state.withLock { state in
      state.expected = []
      state.ended = [:]
    }
  }
}
