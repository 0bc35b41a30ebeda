/// How layouts are to be measured.
public struct LayoutOptions: Hashable, Sendable {
  /// Items of a layout, in ascending order.
  public var sizes = [1_000, 100_000, 1_000_000, 10_000_000]
  /// The layouts.
  public var kinds = LayoutKind.allCases
  /// Runs of each case.
  public var repeats = 7
  /// Where callgrind, under which the program runs, writes its profiles; nothing where it does not.
  public var callgrindOutput: String?

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--callgrind") {
      sizes = [1_000, 10_000_000]
      repeats = 1
    }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--instructions": break
      case "--n": sizes = Set(try words.numbers(of: name, in: 100...100_000_000)).sorted()
      case "--layouts":
        let accepted = LayoutKind.allCases.map(\.rawValue).joined(separator: ", ")
        kinds = try words.list(of: name, accepted, LayoutKind.init(rawValue:))
      case "--repeat": repeats = try words.repeats(of: name)
      case "--callgrind":
        guard let output = words.next(), !output.isEmpty else { throw CommandError("--callgrind needs a path") }
        callgrindOutput = output
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
