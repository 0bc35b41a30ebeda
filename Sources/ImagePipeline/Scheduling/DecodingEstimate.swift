import VitrineFramePacing

/// An estimate of the duration of decodes, from the file size and recent decodes on this machine.
struct DecodingEstimate: Hashable, Sendable {
  /// The ratio of real to modelled durations, as a moving average.
  private var factor = 1.0

  private static let weightOfNewest = 1.0 / 8
  private static let bounds = 0.1...20.0

  /// Returns the estimated duration of a decode.
  func duration(fileBytes: Int) -> FrameDuration { DecodingCost.duration(fileBytes: fileBytes) * factor }

  /// Updates the estimate with the duration of a decode.
  mutating func recordDecode(fileBytes: Int, duration: FrameDuration) {
    let modelled = DecodingCost.duration(fileBytes: fileBytes)
    guard fileBytes > 0, duration > .zero else { return }
    let seen = Double(duration.nanoseconds) / Double(modelled.nanoseconds)
    let clamped = min(max(seen, DecodingEstimate.bounds.lowerBound), DecodingEstimate.bounds.upperBound)
    factor += (clamped - factor) * DecodingEstimate.weightOfNewest
  }
}

/// The cost of a decode on a modelled timeline: a function of the file size alone, equal on every machine.
enum DecodingCost {
  /// The cost of opening the file, of the request and the reply, and the constant cost of an image: 0.3 ms.
  static let fixedNanoseconds: Int64 = 300_000
  /// The number of compressed bytes decoded per second: 120 MB, so that a JPEG of 4 MB with 12 megapixels takes 33 ms.
  static let bytesPerSecond: Int64 = 120_000_000

  /// Returns the cost of one decode.
  static func duration(fileBytes: Int) -> FrameDuration {
    // Integer arithmetic, for equal results on all machines. The bound prevents an overflow.
    let bytes = Int64(min(max(fileBytes, 0), 1 << 32))
    return FrameDuration(nanoseconds: fixedNanoseconds + bytes * 1_000 / (bytesPerSecond / 1_000_000))
  }

  /// Returns the cost of a request.
  ///
  /// An embedded preview costs only the opening of the file.
  static func duration(of request: ImageRequest) -> FrameDuration {
    duration(fileBytes: request.representation == .full ? request.fileBytes : 0)
  }
}

/// A histogram of durations with buckets of at most 3 % width, in a fixed 16 KiB.
struct DurationHistogram: Sendable {
  // 32 buckets per power of two; below 32 ns each nanosecond has its own bucket.
  private static let stepsPerDoubling = 32
  private static let stepBits = 5

  private var buckets = ContiguousArray<UInt32>(repeating: 0, count: 60 * stepsPerDoubling)

  /// The number of recorded durations.
  private(set) var count = 0

  /// Creates an empty histogram.
  init() {}

  /// Records a duration; negative ones count as zero.
  mutating func add(_ duration: FrameDuration) {
    buckets[DurationHistogram.bucket(of: UInt64(max(0, duration.nanoseconds)))] += 1
    count += 1
  }

  /// Returns the quantile of the recorded durations by nearest rank, or zero if there are none.
  ///
  /// - Parameter share: The quantile, 0...1; 0.5 is the median.
  /// - Returns: The upper bound of the bucket, at most 3 % too long.
  func quantile(_ share: Double) -> FrameDuration {
    guard count > 0 else { return .zero }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (index, bucket) in buckets.enumerated() {
      seen += Int(bucket)
      if seen >= rank { return FrameDuration(nanoseconds: DurationHistogram.longest(inBucket: index)) }
    }
    return .zero
  }

  private static func bucket(of nanoseconds: UInt64) -> Int {
    let length = 64 - nanoseconds.leadingZeroBitCount
    guard length > stepBits else { return Int(nanoseconds) }
    let shift = length - stepBits - 1
    return shift * stepsPerDoubling + Int(nanoseconds >> UInt64(shift))
  }

  private static func longest(inBucket index: Int) -> Int64 {
    guard index >= 2 * stepsPerDoubling else { return Int64(index) }
    let shift = UInt64(index / stepsPerDoubling - 1)
    let step = UInt64(index % stepsPerDoubling + stepsPerDoubling)
    // Unsigned, as the last bucket ends at the limit of signed numbers.
    return Int64(((step + 1) << shift) - 1)
  }
}
