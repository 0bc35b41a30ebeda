import FramePacing

/// How long an answer is waited for: a limit on the time in which the process had a core or wanted none.
///
/// On a busy machine a process of the lowest priority may get no core for seconds. That is not the file's fault, and a
/// file must not lose its preview for it; so the time that the process stood ready to run and was not let is added, up
/// to eleven limits more.
struct Patience {
  /// The limit.
  let limit: FrameDuration

  /// The first wait, after which the process's delay is read for the first time: most answers come sooner.
  var firstWait: FrameDuration { min(limit, .milliseconds(100)) }

  /// How much longer to wait.
  ///
  /// - Parameters:
  ///   - elapsed: the time since the request.
  ///   - delayed: how much of it the process was ready to run without a core.
  /// - Returns: nothing when the limit is reached.
  func remaining(elapsed: FrameDuration, delayed: FrameDuration) -> FrameDuration? {
    let allowed = min(limit + delayed, limit * 12)
    return elapsed < allowed ? allowed - elapsed : nil
  }
}
