/// The folders that could not be read completely because of an error of the system, and when each is listed again.
///
/// An error such as that of a disk, a server or a lack of descriptors may be over soon, which nothing reports. The first
/// attempts follow each other quickly, so that an interruption of some seconds leaves no trace. Later pauses double, so
/// that a broken disk is left in peace.
///
/// It is a value without a clock: calls state the time, in nanoseconds of a monotonic clock.
struct FolderRetries: Sendable {
  /// The pause before each of the first attempts.
  static let quickPause: UInt64 = 500_000_000
  /// The number of attempts with that pause, after which pauses double.
  static let quickAttempts = 16
  /// The longest pause.
  static let longestPause: UInt64 = 64_000_000_000
  /// The maximum number of folders; further ones are not listed again.
  static let maximumCount = 256

  private struct Attempts: Sendable {
    /// The number of attempts without a pause of twice the longest one between them.
    var count = 0
    /// The time of the next attempt, or nil if none is necessary.
    var due: UInt64?
    /// The time of the last error.
    var lastError: UInt64 = 0
  }

  private var folders: [PhotoPath: Attempts] = [:]

  /// The time of the next attempt, or nil if there is none.
  private(set) var nextTime: UInt64?

  /// Records that a folder could not be read completely.
  mutating func insert(_ folder: PhotoPath, at now: UInt64) {
    if folders[folder] == nil, folders.count >= FolderRetries.maximumCount {
      folders = folders.filter { $0.value.due != nil }
      guard folders.count < FolderRetries.maximumCount else { return }
    }
    var attempts = folders[folder] ?? Attempts()
    let isRecent = now &- attempts.lastError < 2 * FolderRetries.longestPause
    attempts.lastError = now
    if attempts.due == nil {
      attempts.count = isRecent ? attempts.count + 1 : 1
      attempts.due = now + FolderRetries.pause(before: attempts.count)
    }
    folders[folder] = attempts
    nextTime = min(nextTime ?? .max, attempts.due ?? .max)
  }

  /// Returns the folders to list again, each once.
  mutating func takeDueFolders(at now: UInt64) -> [PhotoPath] {
    guard let nextTime, nextTime <= now else { return [] }
    let due = folders.filter { ($0.value.due ?? .max) <= now }.keys
    for folder in due { folders[folder]?.due = nil }
    self.nextTime = folders.values.lazy.compactMap(\.due).min()
    return Array(due)
  }

  /// Returns the pause before an attempt, the first of which has the number 1.
  static func pause(before attempt: Int) -> UInt64 {
    min(quickPause << UInt64(min(max(attempt - quickAttempts, 0), 7)), longestPause)
  }
}
