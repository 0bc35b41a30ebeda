import DataStructures
import FramePacing

/// Failures that are known already, so that a broken file is tried once and not in every frame.
///
/// What holds for good is not tried again. What may pass is tried again when it is asked for after a pause, which doubles
/// with every failure; what only may be the file's fault, ``triesInDoubt`` times in all. Nothing here becomes due by
/// itself: a pause that has passed means something to the next request alone, so nobody has to be woken.
///
/// Bounded: of 65,536 failures and more the ones asked for least recently are forgotten, and so are tried again.
struct FailureCache: Sendable {
  /// How often a file is tried that may be the reason why its decoding process ended or did not answer.
  static let maximumUncertainAttempts = 3
  /// The pause after the first failure.
  static let firstPause = FrameDuration.seconds(2)
  /// The longest pause.
  static let longestPause = FrameDuration.seconds(64)

  private struct Record {
    let failure: ImageFailure
    /// Failures in a row.
    let count: Int
    /// Of these the ones that may be the file's fault.
    let uncertainCount: Int
    /// From when on it is tried again; nothing where it never is.
    let nextAttempt: FrameInstant?

    init(_ failure: ImageFailure, at instant: FrameInstant, after last: Record?) {
      self.failure = failure
      count = (last?.count ?? 0) + 1
      uncertainCount = (last?.uncertainCount ?? 0) + (failure.persistence == .uncertain ? 1 : 0)
      let isLast =
        switch failure.persistence {
        case .permanent: true
        case .uncertain: uncertainCount >= FailureCache.maximumUncertainAttempts
        case .transient: false
        }
      nextAttempt = isLast ? nil : instant + FailureCache.pause(after: count)
    }
  }

  private var files = LRUCache<UInt64, Record>(costLimit: 1 << 16)
  private var sizes = LRUCache<ImageKey, Record>(costLimit: 1 << 16)

  /// The pause after so many failures in a row.
  static func pause(after failures: Int) -> FrameDuration {
    min(firstPause * Double(1 << min(max(failures - 1, 0), 16)), longestPause)
  }

  /// The last failure of a key, until its picture is had.
  ///
  /// To ask for it is to use it, and keeps it from being forgotten.
  mutating func failure(for key: ImageKey) -> ImageFailure? {
    (files.value(for: key.source) ?? sizes.value(for: key))?.failure
  }

  /// Whether a request for a key is to be tried at a moment, rather than end with its known failure.
  func canAttempt(_ key: ImageKey, at instant: FrameInstant) -> Bool {
    guard let record = record(for: key) else { return true }
    return record.nextAttempt.map { $0 <= instant } ?? false
  }

  /// Whether the file may be the reason why a decoding process ended before.
  func isSuspect(_ key: ImageKey) -> Bool { record(for: key).map { $0.uncertainCount > 0 } ?? false }

  /// Remembers a failure that was met at a moment, for as much as it is said of.
  mutating func recordFailure(_ failure: ImageFailure, for key: ImageKey, at instant: FrameInstant) {
    switch failure.scope {
    case .request: break
    case .size: sizes.insert(Record(failure, at: instant, after: sizes.peekValue(for: key)), for: key, cost: 1)
    case .file:
      files.insert(Record(failure, at: instant, after: files.peekValue(for: key.source)), for: key.source, cost: 1)
    }
  }

  /// The picture was had after all.
  mutating func removeFailure(_ key: ImageKey) {
    if files.count > 0 { files.remove(key.source) }
    if sizes.count > 0 { sizes.remove(key) }
  }

  /// The file is where it was not before: nothing is known of it if that was all that was.
  mutating func removeOpenFailure(_ key: ImageKey) {
    if case .cannotOpen = files.peekValue(for: key.source)?.failure { files.remove(key.source) }
  }

  private func record(for key: ImageKey) -> Record? { files.peekValue(for: key.source) ?? sizes.peekValue(for: key) }
}
