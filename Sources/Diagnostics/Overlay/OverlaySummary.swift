import VitrineFramePacing

/// Statistics of the last frames, computed for each drawing of the overlay in preallocated buffers.
final class OverlaySummary {
  /// The number of frames.
  private(set) var count = 0
  /// The number of shown frames per second, or nil if there are too few frames.
  private(set) var rate: Double?
  /// The mean number of uploaded bytes per frame.
  private(set) var uploadedBytes = 0.0
  /// The mean number of uploaded textures per frame.
  private(set) var uploads = 0.0
  /// The last late frame since the overlay was first shown.
  private(set) var lastHitch: FrameRecord?

  /// The number of frames whose allocations were counted.
  private(set) var allocationCount = 0
  /// The number of known input latencies, limited to the number of frames that the overlay shows.
  private(set) var inputLatencyCount = 0

  private let allocationSamples: UnsafeMutableBufferPointer<Int64>
  /// The last input latencies, in a ring buffer and sorted.
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

  /// Updates the statistics from the last frames of a history.
  ///
  /// - Parameters:
  ///   - history: The frames.
  ///   - isSorted: Whether to compute percentiles.
  /// - Complexity: O(n^1.3) in the number of frames. Does not allocate.
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

  /// Returns a percentile of the commit times in milliseconds.
  func commitPercentile(_ hundredths: Int) -> Double { milliseconds(commits, hundredths) }

  /// Returns a percentile of the overruns in milliseconds, negative before the deadline.
  func overrunPercentile(_ hundredths: Int) -> Double { milliseconds(overruns, hundredths) }

  /// Returns a percentile of the numbers of allocations.
  ///
  /// - Precondition: ``allocationCount`` is not 0.
  func allocationPercentile(_ hundredths: Int) -> Int {
    Int(allocationSamples[(allocationCount - 1) * hundredths / 100])
  }

  /// Returns a percentile of the times from input to present in milliseconds.
  ///
  /// - Precondition: ``inputLatencyCount`` is not 0.
  func inputLatencyPercentile(_ hundredths: Int) -> Double {
    Double(sortedInputLatencies[(inputLatencyCount - 1) * hundredths / 100]) / 1e6
  }

  private func milliseconds(_ sorted: UnsafeMutableBufferPointer<Int64>, _ hundredths: Int) -> Double {
    count > 0 ? Double(sorted[(count - 1) * hundredths / 100]) / 1e6 : 0
  }

  /// Returns the number of frames since the last update, limited so that an update after a long time causes no hitch.
  private func newFrameCount(of history: FrameHistory) -> Int {
    min(history.count - lastCount, history.availableCount, OverlayMetrics.maximumScannedFrames)
  }

  /// Inputs are rare, so the last latencies remain until new ones replace them.
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

/// An in-place sort, because the standard library's sort allocates.
enum ShellSort {
  /// The gap sequence by Marcin Ciura (2001).
  private static let gaps: InlineArray<7, Int> = [301, 132, 57, 23, 10, 4, 1]

  /// Sorts the first elements of a buffer in ascending order.
  ///
  /// - Precondition: The buffer has at least `count` elements.
  /// - Complexity: About O(n^1.3) for hundreds of elements. Does not allocate.
  static func sort(_ numbers: UnsafeMutableBufferPointer<Int64>, count: Int) {
    for index in gaps.indices {
      let gap = gaps[index]
      guard gap < count else { continue }
      for place in gap..<count {
        let number = numbers[place]
        var hole = place
        while hole >= gap, numbers[hole - gap] > number {
          numbers[hole] = numbers[hole - gap]
          hole -= gap
        }
        numbers[hole] = number
      }
    }
  }
}
