/// How differences are to be measured.
public struct DiffOptions: Hashable, Sendable {
  /// Items of a snapshot, one block of the table each.
  public var sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
  /// The identifiers to measure with.
  public var kinds = IdentifierKind.allCases
  /// Runs of each case.
  public var repeats = 7
  /// Where callgrind, under which the program runs, writes its profiles; nothing where it does not.
  public var callgrindOutput: String?

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") {
      sizes = [1_000, 100_000, 1_000_000]
      repeats = 3
    }
    if arguments.contains("--callgrind") {
      sizes = [1_000, 10_000]
      repeats = 1
    }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick", "--instructions": break
      case "--n": sizes = try words.numbers(of: name, in: 2...100_000_000)
      case "--ids": kinds = try words.kinds(of: name)
      case "--repeat": repeats = try words.repeats(of: name)
      case "--callgrind":
        guard let output = words.next(), !output.isEmpty else { throw CommandError("--callgrind needs a path") }
        callgrindOutput = output
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
