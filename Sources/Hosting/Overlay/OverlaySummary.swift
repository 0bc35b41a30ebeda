import FramePacing

/// What the last frames have in common: counted anew for each drawing, in memory that is kept.
final class OverlaySummary {
  /// How many frames there are.
  private(set) var count = 0
  /// Frames shown a second; nothing where there are too few.
  private(set) var rate: Double?
  /// Bytes of textures that a frame uploaded, on average.
  private(set) var uploadedBytes = 0.0
  /// Textures that a frame uploaded, on average.
  private(set) var uploads = 0.0
  /// The last frame that was late, of all since the overlay was first shown.
  private(set) var lastHitch: FrameRecord?

  private let commits: UnsafeMutableBufferPointer<Int64>
  private let overruns: UnsafeMutableBufferPointer<Int64>
  private var lastCount = 0

  init() {
    commits = .allocate(capacity: OverlayMetrics.frameCount)
    overruns = .allocate(capacity: OverlayMetrics.frameCount)
    commits.initialize(repeating: 0)
    overruns.initialize(repeating: 0)
  }

  isolated deinit {
    commits.deallocate()
    overruns.deallocate()
  }

  /// Looks at the last frames of a history.
  ///
  /// - Parameter isSorted: whether percentiles are wanted too.
  /// - Complexity: O(n log n) in the frames looked at; allocates nothing.
  func look(at history: FrameHistory, isSorted: Bool) {
    count = min(history.keptCount, OverlayMetrics.frameCount)
    noteLastHitch(of: history)
    lastCount = history.count
    var frames = 0
    var time = FrameDuration.zero
    var bytes: Int64 = 0
    var textures: Int64 = 0
    for age in 0..<count {
      let record = history.recent(age)
      bytes += record.uploadedBytes
      textures += Int64(record.uploads)
      commits[age] = record.commit.nanoseconds
      overruns[age] = record.overrun.nanoseconds
      guard age < count - 1, !record.isFirstAfterRest else { continue }
      frames += 1
      time += record.shown - history.recent(age + 1).shown
    }
    rate = time > .zero ? Double(frames) / time.seconds : nil
    uploadedBytes = count > 0 ? Double(bytes) / Double(count) : 0
    uploads = count > 0 ? Double(textures) / Double(count) : 0
    guard isSorted else { return }
    var sorted = UnsafeMutableBufferPointer(rebasing: commits[0..<count])
    sorted.sort()
    sorted = UnsafeMutableBufferPointer(rebasing: overruns[0..<count])
    sorted.sort()
  }

  /// The commit that so many hundredths of the frames stay within, in milliseconds.
  func commit(_ hundredths: Int) -> Double { milliseconds(commits, hundredths) }

  /// The time beyond the deadline that so many hundredths of the frames stay within, in milliseconds; negative before it.
  func overrun(_ hundredths: Int) -> Double { milliseconds(overruns, hundredths) }

  private func milliseconds(_ sorted: UnsafeMutableBufferPointer<Int64>, _ hundredths: Int) -> Double {
    count > 0 ? Double(sorted[(count - 1) * hundredths / 100]) / 1e6 : 0
  }

  private func noteLastHitch(of history: FrameHistory) {
    let new = min(history.count - lastCount, history.keptCount)
    guard new > 0 else { return }
    for age in 0..<new where history.recent(age).hitch > .zero {
      lastHitch = history.recent(age)
      return
    }
  }
}
