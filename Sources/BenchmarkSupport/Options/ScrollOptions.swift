/// How scrolling is to be measured.
public struct ScrollOptions: Hashable, Sendable {
  /// Items, in ascending order.
  public var sizes = [1_000, 100_000, 10_000_000]
  /// Refreshes a second.
  public var refreshRates = [60, 120, 240]
  /// Frames of each scroll, after those that warm it up.
  public var frames = 1_200
  /// Where callgrind, under which the program runs, writes its profiles; nothing where it does not.
  public var callgrindOutput: String?

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { (sizes, frames) = ([1_000, 1_000_000], 240) }
    if arguments.contains("--callgrind") { (sizes, frames, refreshRates) = ([1_000, 10_000_000], 240, [60]) }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--instructions", "--quick": break
      case "--n": sizes = Set(try words.numbers(of: name, in: 100...100_000_000)).sorted()
      case "--refresh": refreshRates = try words.numbers(of: name, in: 10...1_000)
      case "--frames":
        let counts = try words.numbers(of: name, in: 60...1_000_000)
        guard let count = counts.first, counts.count == 1 else { throw CommandError("\(name) takes one number") }
        frames = count
      case "--callgrind":
        guard let output = words.next(), !output.isEmpty else { throw CommandError("--callgrind needs a path") }
        callgrindOutput = output
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
