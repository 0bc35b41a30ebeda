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

  /// Frames of these that were counted allocating.
  private(set) var allocationCount = 0
  /// Answers to input of which the time is known: at most as many as frames are looked at.
  private(set) var inputLatencyCount = 0

  private let allocationSamples: UnsafeMutableBufferPointer<Int64>
  /// The last answers' times, in a ring, and in order.
  private let inputLatencies: UnsafeMutableBufferPointer<Int64>
  private let sortedInputLatencies: UnsafeMutableBufferPointer<Int64>
  private var nextInputLatency = 0
  private let commits: UnsafeMutableBufferPointer<Int64>
  private let overruns: UnsafeMutableBufferPointer<Int64>
  private var lastCount = 0

  init() {
    commits = OverlaySummary.makeBuffer()
    overruns = OverlaySummary.makeBuffer()
    allocationSamples = OverlaySummary.makeBuffer()
    inputLatencies = OverlaySummary.makeBuffer()
    sortedInputLatencies = OverlaySummary.makeBuffer()
  }

  isolated deinit {
    commits.deallocate()
    overruns.deallocate()
    allocationSamples.deallocate()
    inputLatencies.deallocate()
    sortedInputLatencies.deallocate()
  }

  private static func makeBuffer() -> UnsafeMutableBufferPointer<Int64> {
    let buffer = UnsafeMutableBufferPointer<Int64>.allocate(capacity: OverlayMetrics.frameCount)
    buffer.initialize(repeating: 0)
    return buffer
  }

  /// Looks at the last frames of a history.
  ///
  /// - Parameter isSorted: whether percentiles are wanted too.
  /// - Complexity: O(n to the power of 1.3) in the frames looked at; allocates nothing.
  func update(from history: FrameHistory, isSorted: Bool) {
    count = min(history.availableCount, OverlayMetrics.frameCount)
    updateLastHitch(of: history)
    recordInputLatencies(of: history)
    lastCount = history.count
    allocationCount = 0
    var frames = 0
    var time = FrameDuration.zero
    var bytes: Int64 = 0
    var textures: Int64 = 0
    for age in 0..<count {
      let record = history.record(atAge: age)
      bytes += record.uploadedBytes
      textures += Int64(record.uploads)
      commits[age] = record.commit.nanoseconds
      overruns[age] = record.overrun.nanoseconds
      if let allocations = record.allocations {
        allocationSamples[allocationCount] = Int64(allocations)
        allocationCount += 1
      }
      guard age < count - 1, !record.isFirstAfterIdle else { continue }
      frames += 1
      time += record.shown - history.record(atAge: age + 1).shown
    }
    rate = time > .zero ? Double(frames) / time.seconds : nil
    uploadedBytes = count > 0 ? Double(bytes) / Double(count) : 0
    uploads = count > 0 ? Double(textures) / Double(count) : 0
    guard isSorted else { return }
    ShellSort.sort(commits, count: count)
    ShellSort.sort(overruns, count: count)
    ShellSort.sort(allocationSamples, count: allocationCount)
    for place in 0..<inputLatencyCount { sortedInputLatencies[place] = inputLatencies[place] }
    ShellSort.sort(sortedInputLatencies, count: inputLatencyCount)
  }

  /// The commit that so many hundredths of the frames stay within, in milliseconds.
  func commitPercentile(_ hundredths: Int) -> Double { milliseconds(commits, hundredths) }

  /// The time beyond the deadline that so many hundredths of the frames stay within, in milliseconds; negative before it.
  func overrunPercentile(_ hundredths: Int) -> Double { milliseconds(overruns, hundredths) }

  /// The allocations that so many hundredths of the frames stay within.
  ///
  /// - Precondition: ``allocationCount`` is not 0.
  func allocationPercentile(_ hundredths: Int) -> Int {
    Int(allocationSamples[(allocationCount - 1) * hundredths / 100])
  }

  /// The time from input to present that so many hundredths of the answers stay within, in milliseconds.
  ///
  /// - Precondition: ``answerCount`` is not 0.
  func inputLatencyPercentile(_ hundredths: Int) -> Double {
    Double(sortedInputLatencies[(inputLatencyCount - 1) * hundredths / 100]) / 1e6
  }

  private func milliseconds(_ sorted: UnsafeMutableBufferPointer<Int64>, _ hundredths: Int) -> Double {
    count > 0 ? Double(sorted[(count - 1) * hundredths / 100]) / 1e6 : 0
  }

  /// The frames since the last look, of a long time without one the last ten seconds or so: looking is to be no hitch.
  private func newFrameCount(of history: FrameHistory) -> Int {
    min(history.count - lastCount, history.availableCount, OverlayMetrics.maximumScannedFrames)
  }

  /// Answers are few: the last ones are kept for as long as it takes until there are others.
  private func recordInputLatencies(of history: FrameHistory) {
    let new = newFrameCount(of: history)
    guard new > 0 else { return }
    for age in (0..<new).reversed() {
      let record = history.record(atAge: age)
      guard !record.isOccluded, let latency = record.inputToPresent else { continue }
      inputLatencies[nextInputLatency] = latency.nanoseconds
      nextInputLatency = (nextInputLatency + 1) % OverlayMetrics.frameCount
      inputLatencyCount = min(inputLatencyCount + 1, OverlayMetrics.frameCount)
    }
  }

  private func updateLastHitch(of history: FrameHistory) {
    let new = newFrameCount(of: history)
    guard new > 0 else { return }
    for age in 0..<new where history.record(atAge: age).hitch > .zero {
      lastHitch = history.record(atAge: age)
      return
    }
  }
}
