/// Something under way that can be given up.
@MainActor
public protocol Cancellable: AnyObject {
  /// Gives it up: the completion that it was begun with is not called any more, from this call on.
  ///
  /// Nothing where it has ended or was given up before. Letting go of the object does not give it up.
  func cancel()
}
