import VitrineDataStructures
import VitrineFramePacing

/// A cache of known failures, so that a broken file is tried once and not in every frame.
///
/// Permanent failures are never retried, except those of downloads after ``endPauses(at:)``. Transient failures are
/// retried by a request after a pause, which is short after the first ``quickAttempts`` failures of this system and then
/// doubles with every failure; uncertain ones at most ``maximumUncertainAttempts`` times in all. The end of a pause
/// triggers no event: it only affects the next request.
///
/// Of more than 65,536 failures the least recently requested are evicted, and their files are tried again.
struct FailureCache: Sendable {
  /// The maximum number of attempts for a file that may have crashed or stalled its decoding process.
  static let maximumUncertainAttempts = 3
  /// The pauses between attempts.
  static let retryPolicy = RetryPolicy(firstPause: .seconds(2), maximumPause: .seconds(64))
  /// The number of failures of this system after each of which the pause is ``quickPause``, so that a picture is shown
  /// soon after an interruption of some seconds.
  static let quickAttempts = 16
  /// The pause after the first failures of this system, as opposed to those of servers.
  static let quickPause = FrameDuration.milliseconds(500)

  /// Returns the pause after a number of consecutive failures.
  private static func pause(after failure: ImageFailure, count: Int) -> FrameDuration {
    if case .download = failure { return retryPolicy.pause(after: count) }
    guard failure.persistence == .transient else { return retryPolicy.pause(after: count) }
    return count <= quickAttempts ? quickPause : retryPolicy.pause(after: count - quickAttempts)
  }

  private struct Record {
    let failure: ImageFailure
    /// The number of consecutive failures.
    let count: Int
    /// The number of these failures that may be the file's fault.
    let uncertainCount: Int
    /// The time from which a request may be tried again; nil if never.
    let nextAttempt: FrameInstant?
    /// The time of the failure.
    let instant: FrameInstant

    init(_ failure: ImageFailure, at instant: FrameInstant, after last: Record?) {
      self.failure = failure
      self.instant = instant
      count = (last?.count ?? 0) + 1
      uncertainCount = (last?.uncertainCount ?? 0) + (failure.persistence == .uncertain ? 1 : 0)
      let isLast =
        switch failure.persistence {
        case .permanent: true
        case .uncertain: uncertainCount >= FailureCache.maximumUncertainAttempts
        case .transient: false
        }
      nextAttempt = isLast ? nil : instant + FailureCache.pause(after: failure, count: count)
    }
  }

  private var files = LRUCache<UInt64, Record>(costLimit: 1 << 16)
  private var sizes = LRUCache<ImageKey, Record>(costLimit: 1 << 16)
  /// The time at which all pauses ended, or nil.
  private var pauseEnd: FrameInstant?

  /// Returns the last failure of a key, or nil if its image was made since.
  ///
  /// Counts as a use.
  mutating func failure(for key: ImageKey) -> ImageFailure? {
    FailureCache.latest(files.value(for: key.source), sizes.value(for: key))?.failure
  }

  /// Returns whether a request for a key would be attempted instead of ending with its known failure.
  func canAttempt(_ key: ImageKey, at instant: FrameInstant) -> Bool {
    guard let record = record(for: key) else { return true }
    let isEnded = pauseEnd.map { record.instant <= $0 } ?? false
    // A server may have the picture now, at the same address. A file that changes has another key.
    guard let next = record.nextAttempt else { return isEnded && record.failure.isOfDownload }
    return next <= instant || isEnded
  }

  /// Ends the pauses of all failures until now, for example because a disk is there again or the user asks for it.
  mutating func endPauses(at instant: FrameInstant) { pauseEnd = instant }

  /// Returns whether the file may have crashed a decoding process before.
  func isSuspect(_ key: ImageKey) -> Bool {
    [files.peekValue(for: key.source), sizes.peekValue(for: key)].contains { ($0?.uncertainCount ?? 0) > 0 }
  }

  /// Records a failure for its file or size, depending on its scope.
  mutating func recordFailure(_ failure: ImageFailure, for key: ImageKey, at instant: FrameInstant) {
    switch failure.scope {
    case .request: break
    case .size: sizes.insert(Record(failure, at: instant, after: sizes.peekValue(for: key)), for: key, cost: 1)
    case .file:
      files.insert(Record(failure, at: instant, after: files.peekValue(for: key.source)), for: key.source, cost: 1)
    }
  }

  /// Removes the failures of a key whose image was made.
  mutating func removeFailure(_ key: ImageKey) {
    if files.count > 0 { files.remove(key.source) }
    if sizes.count > 0 { sizes.remove(key) }
  }

  /// Removes the failure to open the file of a key, which has become available.
  mutating func removeOpenFailure(_ key: ImageKey) {
    if case .cannotOpen = files.peekValue(for: key.source)?.failure { files.remove(key.source) }
  }

  private func record(for key: ImageKey) -> Record? {
    FailureCache.latest(files.peekValue(for: key.source), sizes.peekValue(for: key))
  }

  /// Returns the later failure: a file that could not be opened may be out of memory since, and the pause after the first
  /// failure is over.
  private static func latest(_ file: Record?, _ size: Record?) -> Record? {
    guard let file, let size else { return file ?? size }
    return size.instant > file.instant ? size : file
  }
}
