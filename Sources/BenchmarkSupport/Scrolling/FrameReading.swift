/// What frames of one kind took.
public struct FrameReading: Hashable, Sendable {
  /// Frames.
  public private(set) var count = 0
  /// The most cells that came on screen in one of them.
  public private(set) var mostEntered = 0
  /// Processor times in nanoseconds.
  private var times: [Double] = []
  private var instructions: [Double] = []
  private var calls: [Int]?

  /// No frame.
  public init() {}

  /// Takes in a frame.
  public mutating func add(_ cost: StretchCost, entered: Int) {
    count += 1
    mostEntered = max(mostEntered, entered)
    times.append(cost.nanoseconds)
    if let number = cost.instructions { instructions.append(number) }
    guard let counted = cost.calls else { return }
    calls = calls.map { zip($0, counted).map { max($0, $1) } } ?? counted
  }

  /// The time that half of the frames keep, in nanoseconds.
  public var medianTime: Double? { FrameReading.rank(0.5, of: times) }

  /// The time that 99 in 100 frames keep, in nanoseconds.
  public var longTime: Double? { FrameReading.rank(0.99, of: times) }

  /// The instructions that half of the frames keep; nothing where none were counted.
  public var medianInstructions: Double? { FrameReading.rank(0.5, of: instructions) }

  /// The most instructions of a frame.
  public var mostInstructions: Double? { instructions.max() }

  /// The most calls of a kind in one frame; nothing where none were counted.
  public func mostCalls(_ kind: RuntimeCall) -> Int? {
    RuntimeCall.allCases.firstIndex(of: kind).flatMap { calls?[$0] }
  }

  /// The nearest rank.
  private static func rank(_ share: Double, of numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let place = Int((share * Double(numbers.count)).rounded(.up)) - 1
    return numbers.sorted()[max(0, min(numbers.count - 1, place))]
  }
}
