/// What a scheduler did, in numbers.
///
/// Every request ends exactly once, so at any time
/// `requested == coalesced + cancelled + delivered + failed + the requests that wait, run or have arrived`.
struct SchedulerCounts: Hashable, Sendable {
  /// Requests made.
  var requested = 0
  /// Requests that joined an earlier one for the same key, and end with it.
  var coalesced = 0
  /// Requests that ended because the caller wanted them no longer.
  var cancelled = 0
  /// Requests that ended with their picture.
  var delivered = 0
  /// Requests that ended with a failure.
  var failed = 0
  /// Pictures decoded, those included that nobody wanted any more when they were done.
  var decoded = 0
}
