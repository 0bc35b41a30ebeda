/// What a scheduler did, in numbers.
///
/// Every task ends exactly once, so at any time
/// `requested == coalesced + cancelled + delivered + failed + the wanted tasks that wait, run or have arrived`.
struct SchedulerCounts: Hashable, Sendable {
  /// Requests made.
  var requested = 0
  /// Requests that joined an earlier one for the same key, and end with its task.
  var coalesced = 0
  /// Tasks that ended because nobody wanted them any longer.
  var cancelled = 0
  /// Tasks that ended with their picture.
  var delivered = 0
  /// Tasks that ended with a failure.
  var failed = 0
  /// Small pictures of files' own that were made before the pictures themselves.
  var previews = 0
  /// Jobs that were told to stop, for nobody wanted them, something on screen needed their worker, or another worker was
  /// faster.
  var interrupted = 0
  /// Pictures decoded, those included that nobody wanted any more when they were done.
  var decoded = 0
  /// Pictures read from disk as they are, in place of being decoded.
  var stored = 0
}
