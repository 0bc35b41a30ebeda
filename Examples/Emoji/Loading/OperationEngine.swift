import FramePacing

/// What runs the operations of a queue, at most so many at once.
protocol OperationEngine: AnyObject {
  /// Takes an operation, which has a number of its own.
  func add(_ number: Int, delay: FrameDuration, load: @escaping @Sendable () -> EmojiRating)
  /// A cell on screen waits for an operation.
  func hurry(_ number: Int)
  /// An operation is to end without a result, and makes room for another one.
  func cancel(_ number: Int)
  /// Hands over the results that are there by a moment of the frames' clock, in the order in which they came.
  func takeFinished(by now: FrameInstant) -> [(number: Int, rating: EmojiRating)]
  /// Whether there are any.
  func hasFinished(by now: FrameInstant) -> Bool
  /// When the next one comes, on a simulated clock.
  var nextArrival: FrameInstant? { get }
  /// Ends all operations, at once.
  func end()
}
