/// A request that a worker has been given.
struct ImageJob: Hashable, Sendable {
  /// The job's number, rising in the order of the requests; a result with another number is stale.
  let number: UInt64
  /// What to make.
  let request: ImageRequest
}
