/// A task that a worker has been given.
struct ImageJob: Hashable, Sendable {
  /// Another one each time that a task is begun, rising; a result with another number is stale.
  let number: UInt64
  /// What to make, and how well.
  let request: ImageRequest
}
