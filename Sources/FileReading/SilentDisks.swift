/// The disks that do not answer, so that each of their files does not cost the time that one may take.
struct SilentDisks {
  /// The number of consecutive files without an answer after which the disk is not asked.
  private static let maximumTimeouts = 3
  /// The time in nanoseconds after which it is asked again.
  private static let pause: UInt64 = 30_000_000_000

  private var timeouts: [UInt64: (count: Int, last: UInt64)] = [:]

  /// Records that the file of a disk was not answered in time.
  mutating func recordTimeout(of device: UInt64, at now: UInt64) {
    timeouts[device] = ((timeouts[device]?.count ?? 0) + 1, now)
  }

  /// Records an answer.
  mutating func recordAnswer(of device: UInt64) {
    if !timeouts.isEmpty { timeouts[device] = nil }
  }

  /// Returns whether a disk is not asked at a time.
  func isSilent(_ device: UInt64, at now: @autoclosure () -> UInt64) -> Bool {
    guard let (count, last) = timeouts[device], count >= SilentDisks.maximumTimeouts else { return false }
    return now() &- last < SilentDisks.pause
  }
}
