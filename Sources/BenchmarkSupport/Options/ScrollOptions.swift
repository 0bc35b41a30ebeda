/// How scrolling is to be measured.
public struct ScrollOptions: Hashable, Sendable {
  /// What is measured, in this order.
  public var measures = ScrollMeasure.allCases
  /// Items, in ascending order.
  public var sizes = [1_000, 100_000, 10_000_000]
  /// Refreshes a second.
  public var refreshRates = [60, 120, 240]
  /// Frames of each scroll, after those that warm it up.
  public var frames = 1_200
  /// How long each scroll is measured for headroom, in seconds of the virtual clock.
  public var headroomSeconds = 60
  /// How long scrolling goes wild.
  public var endurance = EnduranceOptions()
  /// Where callgrind, under which the program runs, writes its profiles; nothing where it does not.
  public var callgrindOutput: String?

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") {
      (sizes, frames, headroomSeconds, endurance.frames) = ([1_000, 1_000_000], 240, 20, 10_000)
    }
    if arguments.contains("--callgrind") {
      // Nothing else counts instructions.
      (sizes, frames, refreshRates, measures) = ([1_000, 10_000_000], 240, [60], [.frames])
    }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--instructions", "--quick": break
      case "--measure":
        let accepted = ScrollMeasure.allCases.map(\.rawValue).joined(separator: ", ")
        measures = try words.list(of: name, accepted, ScrollMeasure.init(rawValue:))
      case "--n":
        sizes = Set(try words.numbers(of: name, in: 100...100_000_000)).sorted()
        endurance.sizes = sizes
      case "--refresh":
        refreshRates = try words.numbers(of: name, in: 10...1_000)
        endurance.refreshRates = refreshRates
      case "--frames":
        let counts = try words.numbers(of: name, in: 60...1_000_000)
        guard let count = counts.first, counts.count == 1 else { throw CommandError("\(name) takes one number") }
        (frames, endurance.frames) = (count, count)
      case "--callgrind":
        guard let output = words.next(), !output.isEmpty else { throw CommandError("--callgrind needs a path") }
        callgrindOutput = output
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
