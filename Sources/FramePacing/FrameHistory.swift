/// The records of a run's last frames, and sums over all of them.
///
/// Memory is taken once: recording a frame allocates nothing.
public final class FrameHistory {
  /// How many records are kept unless told: nine minutes at 60 Hz, in 14 MB.
  public static let defaultCapacity = 1 << 15
  /// How many are enough where no report is written: a minute at 60 Hz.
  public static let shortCapacity = 1 << 12

  /// How many of the worst hitches are kept.
  public static let worstHitchLimit = 5

  /// How many records are kept: a power of two.
  public let capacity: Int
  private let records: UnsafeMutablePointer<FrameRecord>
  /// Frames recorded in all.
  public private(set) var count = 0
  /// Frames of tracked intervals in all.
  public private(set) var trackedCount = 0
  /// The time that tracked intervals took.
  public private(set) var trackedTime: FrameDuration = .zero
  /// Hitches in all, and by class.
  public private(set) var hitchCounts = [Int](repeating: 0, count: HitchClass.allCases.count)
  /// Frames that count as hitches when they are shown late: of tracked intervals, seen, and not the first after rest.
  public private(set) var hitchEligibleCount = 0
  /// Frames that were seen and do not count, as they were the first after rest.
  public private(set) var firstAfterIdleCount = 0
  /// Frames that were seen and do not count, as nothing moved in them.
  public private(set) var atRestCount = 0
  /// The longest commit among the frames that do not count; zero while there is none.
  public private(set) var longestIneligibleCommit = FrameDuration.zero
  /// The sum of all hitches.
  public private(set) var hitchTime: FrameDuration = .zero
  /// Frames in all that were the first to answer some input.
  public private(set) var inputResponseCount = 0
  /// Of these the ones that answered input which came once they were drawn.
  public private(set) var resampledInputCount = 0
  /// The worst hitches, longest first.
  public private(set) var worstHitches: [FrameRecord] = []
  private var previousShown: FrameInstant?

  /// Makes an empty history.
  ///
  /// - Parameter capacity: how many records to keep, 1 to 2^20, rounded up to a power of two.
  public init(capacity: Int = FrameHistory.defaultCapacity) {
    let least = min(max(1, capacity), 1 << 20)
    self.capacity = 1 << (Int.bitWidth - (least - 1).leadingZeroBitCount)
    records = .allocate(capacity: self.capacity)
    worstHitches.reserveCapacity(FrameHistory.worstHitchLimit + 1)
  }

  deinit { records.deallocate() }

  /// How many records can be looked at.
  public var availableCount: Int { min(count, capacity) }

  /// A kept record, 0 the newest.
  /// - Precondition: less than ``keptCount``.
  public func record(atAge age: Int) -> FrameRecord { records[(count - 1 - age) & (capacity - 1)] }

  /// The kept records of frames that were shown at a moment or later, the oldest first.
  ///
  /// - Complexity: O(frames that are returned).
  public func records(shownSince instant: FrameInstant = .distantPast) -> [FrameRecord] {
    var wanted = 0
    while wanted < availableCount, records[(count - 1 - wanted) & (capacity - 1)].shown >= instant {
      wanted += 1
    }
    guard wanted > 0 else { return [] }
    // In one piece, or in two where the ring begins anew.
    let first = (count - wanted) & (capacity - 1)
    let piece = min(wanted, capacity - first)
    return Array(UnsafeBufferPointer(start: records + first, count: piece))
      + UnsafeBufferPointer(start: records, count: wanted - piece)
  }

  /// Takes in a frame.
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
    let place = worstHitches.firstIndex { $0.hitch < record.hitch } ?? worstHitches.count
    guard place < FrameHistory.worstHitchLimit else { return }
    worstHitches.insert(record, at: place)
    if worstHitches.count > FrameHistory.worstHitchLimit { worstHitches.removeLast() }
  }

  private func updateEligibilityCounts(of record: FrameRecord) {
    guard !record.isOccluded else { return }
    if record.isTracked, !record.isFirstAfterIdle { return hitchEligibleCount += 1 }
    if record.isFirstAfterIdle { firstAfterIdleCount += 1 } else { atRestCount += 1 }
    longestIneligibleCommit = max(longestIneligibleCommit, record.commit)
  }

  /// What a clock sees of what these frames cost.
  ///
  /// - Parameters:
  ///   - kind: the clock.
  ///   - modelsCosts: whether the run has costs to model, such as one for each cell.
  public func costVisibility(on kind: ClockKind, modelsCosts: Bool) -> CostVisibility {
    guard kind == .virtual else { return .measured }
    return modelsCosts ? .modelled : .none
  }

  /// The number of hitches of every class.
  public var hitchCount: Int { HitchClass.lateClasses.reduce(0) { $0 + hitchCounts[Int($1.rawValue)] } }

  /// The number of hitches of one class.
  public func hitchCount(of hitchClass: HitchClass) -> Int { hitchCounts[Int(hitchClass.rawValue)] }

  /// Milliseconds of hitches a second of tracked time; nothing while nothing moved.
  public var hitchRatio: Double? {
    trackedTime > .zero ? hitchTime.milliseconds / trackedTime.seconds : nil
  }

  /// The percentiles of a figure over the kept frames of tracked intervals.
  /// - Complexity: O(n log n) in the kept frames.
  public func percentiles(of figure: (FrameRecord) -> FrameDuration) -> Percentiles? {
    var samples: [Int64] = []
    samples.reserveCapacity(availableCount)
    for age in 0..<availableCount {
      let record = record(atAge: age)
      if record.isTracked, !record.isOccluded { samples.append(figure(record).nanoseconds) }
    }
    return Percentiles(ofNanoseconds: samples)
  }

  /// The percentiles of the time from input to the present of the first frame that answers it, over the kept frames that
  /// answer any.
  /// - Complexity: O(n log n) in the kept frames.
  public var inputToPresent: Percentiles? {
    var samples: [Int64] = []
    for age in 0..<availableCount {
      let record = record(atAge: age)
      if !record.isOccluded, let latency = record.inputToPresent { samples.append(latency.nanoseconds) }
    }
    return Percentiles(ofNanoseconds: samples)
  }
}
