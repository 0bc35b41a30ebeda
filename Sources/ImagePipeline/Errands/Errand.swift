import FramePacing

/// Something that was begun elsewhere, until its end is told.
@MainActor
final class ExternalOperation<Value: Sendable>: Deferrable {
  private var completion: (@MainActor (Value) -> Void)?
  private var operation: (any Cancellable)?
  private var onCancel: () -> Void

  /// Makes an errand that is to be begun.
  ///
  /// - Parameters:
  ///   - completion: told of its end.
  ///   - withdraw: called where it is given up.
  init(completion: @escaping @MainActor (Value) -> Void, onCancel: @escaping () -> Void) {
    self.completion = completion
    self.onCancel = onCancel
  }

  /// It was begun: what gives it up, which happens at once where it was given up meanwhile.
  func setOperation(_ begun: (any Cancellable)?) {
    if completion == nil { begun?.cancel() } else { self.operation = begun }
  }

  /// It has ended; again is nothing.
  func finish(_ value: Value) {
    let completion = completion
    releaseReferences()
    completion?(value)
  }

  func updateDeadline(_ deadline: FrameInstant) { (operation as? any Deferrable)?.updateDeadline(deadline) }

  func cancel() {
    guard completion != nil else { return }
    let (begun, withdraw) = (operation, onCancel)
    releaseReferences()
    begun?.cancel()
    withdraw()
  }

  private func releaseReferences() {
    completion = nil
    operation = nil
    onCancel = {}
  }
}
