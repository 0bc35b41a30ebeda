import FramePacing

/// Something that was begun elsewhere, until its end is told.
@MainActor
final class Errand<Value: Sendable>: Deferrable {
  private var completion: (@MainActor (Value) -> Void)?
  private var begun: (any Cancellable)?
  private var withdraw: () -> Void

  /// Makes an errand that is to be begun.
  ///
  /// - Parameters:
  ///   - completion: told of its end.
  ///   - withdraw: called where it is given up.
  init(completion: @escaping @MainActor (Value) -> Void, withdraw: @escaping () -> Void) {
    self.completion = completion
    self.withdraw = withdraw
  }

  /// It was begun: what gives it up, which happens at once where it was given up meanwhile.
  func begin(_ begun: (any Cancellable)?) {
    if completion == nil { begun?.cancel() } else { self.begun = begun }
  }

  /// It has ended; again is nothing.
  func end(_ value: Value) {
    let completion = completion
    forget()
    completion?(value)
  }

  func updateDeadline(_ deadline: FrameInstant) { (begun as? any Deferrable)?.updateDeadline(deadline) }

  func cancel() {
    guard completion != nil else { return }
    let (begun, withdraw) = (begun, withdraw)
    forget()
    begun?.cancel()
    withdraw()
  }

  private func forget() {
    completion = nil
    begun = nil
    withdraw = {}
  }
}
