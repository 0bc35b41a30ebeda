/// The records of the most recent frames of a run, and sums over all of its frames.
///
/// Memory is allocated once: recording a frame allocates nothing.
public final class FrameHistory {
  /// The default number of stored records: nine minutes at 60 Hz, in 14 MB.
  public static let defaultCapacity = 1 << 15
  /// The number of stored records in runs without a report: a minute at 60 Hz.
  public static let shortCapacity = 1 << 12

  /// The number of worst hitches that are stored.
  public static let worstHitchLimit = 5

  /// The number of stored records, a power of two.
  public let capacity: Int
  private let records: UnsafeMutablePointer<FrameRecord>
  /// The number of frames recorded in total.
  public private(set) var count = 0
  /// The number of frames in tracked intervals.
  public private(set) var trackedCount = 0
  /// The total duration of tracked intervals.
  public private(set) var trackedTime: FrameDuration = .zero
  /// The number of hitches by class.
  public private(set) var hitchCounts = [Int](repeating: 0, count: HitchClass.allCases.count)
  /// The number of frames that can be hitches: tracked, visible, and not the first after an idle period.
  public private(set) var hitchEligibleCount = 0
  /// The number of visible frames that cannot be hitches because they were the first after an idle period.
  public private(set) var firstAfterIdleCount = 0
  /// The number of visible frames that cannot be hitches because nothing moved.
  public private(set) var atRestCount = 0
  /// The longest commit of the frames that cannot be hitches; zero if there is none.
  public private(set) var longestIneligibleCommit = FrameDuration.zero
  /// The total duration of all hitches.
  public private(set) var hitchTime: FrameDuration = .zero
  /// The number of frames that were the first to respond to some input.
  public private(set) var inputResponseCount = 0
  /// The number of those frames that responded to input which arrived after drawing.
  public private(set) var resampledInputCount = 0
  /// The worst hitches, longest first.
  public private(set) var worstHitches: [FrameRecord] = []
  private var previousShown: FrameInstant?

  /// Creates an empty history.
  ///
  /// - Parameter capacity: The number of records to store, 1 to 2^20, rounded up to a power of two.
  public init(capacity: Int = FrameHistory.defaultCapacity) {
    let least = min(max(1, capacity), 1 << 20)
    self.capacity = 1 << (Int.bitWidth - (least - 1).leadingZeroBitCount)
    records = .allocate(capacity: self.capacity)
    worstHitches.reserveCapacity(FrameHistory.worstHitchLimit + 1)
  }

  deinit { records.deallocate() }

  /// The number of records that are stored.
  public var availableCount: Int { min(count, capacity) }

  /// Returns a stored record by its age; 0 is the newest.
  ///
  /// - Precondition: The age is less than ``availableCount``.
  public func record(atAge age: Int) -> FrameRecord { records[(count - 1 - age) & (capacity - 1)] }

  /// Returns the stored records of frames shown at or after an instant, oldest first.
  ///
  /// - Complexity: O(n) for n returned records.
  public func records(shownSince instant: FrameInstant = .distantPast) -> [FrameRecord] {
    var matches = 0
    while matches < availableCount, records[(count - 1 - matches) & (capacity - 1)].shown >= instant {
      matches += 1
    }
    guard matches > 0 else { return [] }
    // One piece, or two if the range wraps around the ring.
    let first = (count - matches) & (capacity - 1)
    let firstCount = min(matches, capacity - first)
    return Array(UnsafeBufferPointer(start: records + first, count: firstCount))
      + UnsafeBufferPointer(start: records, count: matches - firstCount)
  }

  /// Records a frame.
  public func append(_ record: FrameRecord, interval: FrameDuration) {
    (records + (count & (capacity - 1))).initialize(to: record)
    count += 1
    updateEligibilityCounts(of: record)
    if record.isTracked, !record.isOccluded {
      trackedCount += 1
      if let previousShown, !record.isFirstAfterIdle {
        trackedTime += record.shown - previousShown
      } else {
        trackedTime += interval
      }
    }
    previousShown = record.shown
    if record.inputInstant != nil { inputResponseCount += 1 }
    if record.isInputResampled { resampledInputCount += 1 }
    guard record.hitch > .zero else { return }
    hitchTime += record.hitch
    hitchCounts[Int(record.hitchClass.rawValue)] += 1
    let rank = worstHitches.firstIndex { $0.hitch < record.hitch } ?? worstHitches.count
    guard rank < FrameHistory.worstHitchLimit else { return }
    worstHitches.insert(record, at: rank)
    if worstHitches.count > FrameHistory.worstHitchLimit { worstHitches.removeLast() }
  }

  private func updateEligibilityCounts(of record: FrameRecord) {
    guard !record.isOccluded else { return }
    if record.isTracked, !record.isFirstAfterIdle { return hitchEligibleCount += 1 }
    if record.isFirstAfterIdle { firstAfterIdleCount += 1 } else { atRestCount += 1 }
    longestIneligibleCommit = max(longestIneligibleCommit, record.commit)
  }

  /// The number of hitches of all classes.
  public var hitchCount: Int { HitchClass.lateClasses.reduce(0) { $0 + hitchCounts[Int($1.rawValue)] } }

  /// Returns the number of hitches of a class.
  public func hitchCount(of hitchClass: HitchClass) -> Int { hitchCounts[Int(hitchClass.rawValue)] }

  /// Milliseconds of hitches per second of tracked time, or nil if nothing moved.
  public var hitchRatio: Double? {
    trackedTime > .zero ? hitchTime.milliseconds / trackedTime.seconds : nil
  }

  /// Returns the percentiles of a duration over the stored frames of tracked intervals.
  ///
  /// - Complexity: O(n log n) for n stored frames.
  public func percentiles(of figure: (FrameRecord) -> FrameDuration) -> Percentiles? {
    var samples: [Int64] = []
    samples.reserveCapacity(availableCount)
    for age in 0..<availableCount {
      let record = record(atAge: age)
      if record.isTracked, !record.isOccluded { samples.append(figure(record).nanoseconds) }
    }
    return Percentiles(ofNanoseconds: samples)
  }

  /// The percentiles of the time from input to the present of the first frame that responds, over the stored frames.
  ///
  /// - Complexity: O(n log n) for n stored frames.
  public var inputToPresent: Percentiles? {
    var samples: [Int64] = []
    for age in 0..<availableCount {
      let record = record(atAge: age)
      if !record.isOccluded, let latency = record.inputToPresent { samples.append(latency.nanoseconds) }
    }
    return Percentiles(ofNanoseconds: samples)
  }
}
