import FramePacing

/// How long an answer is waited for: a limit on the time in which the process had a core or wanted none.
///
/// On a busy machine a process of the lowest priority may get no core for seconds. That is not the file's fault, and a
/// file must not lose its preview for it; so the time that the process stood ready to run and was not let is added, up
/// to eleven limits more. The kernel counts that time when it lets a process run at last: one that it has not let run since
/// is given its limit in processor time.
struct ProcessTimeout {
  /// The limit.
  let limit: FrameDuration

  /// The first wait, after which the process's delay is read for the first time: most answers come sooner.
  var firstWait: FrameDuration { min(limit, .milliseconds(100)) }

  /// How much longer to wait.
  ///
  /// - Parameters:
  ///   - elapsed: the time since the request.
  ///   - delayed: how much of it the process was ready to run without a core, as the kernel has counted it.
  ///   - used: the processor time that it has had of it.
  ///   - isRunnable: whether it runs or could.
  /// - Returns: nothing when the limit is reached.
  func remaining(
    elapsed: FrameDuration, delayed: FrameDuration, used: FrameDuration, isRunnable: Bool
  ) -> FrameDuration? {
    let most = limit * 12
    let allowed = min(limit + delayed, most)
    if elapsed < allowed { return allowed - elapsed }
    return isRunnable && used < limit && elapsed < most ? min(limit - used, most - elapsed) : nil
  }
}
