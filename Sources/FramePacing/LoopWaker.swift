/// Wakes the loop of the main thread from any other thread; many calls may wake it once.
public protocol LoopWaker: Sendable {
  /// Makes the loop leave its rest.
  func wake()
}
