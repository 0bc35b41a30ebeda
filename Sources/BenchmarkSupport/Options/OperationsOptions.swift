/// How the operations are to be measured.
public struct OperationsOptions: Hashable, Sendable {
  /// Items of a value, in ascending order.
  public var sizes = [1_000, 10_000, 100_000, 1_000_000]
  /// The identifiers to measure with.
  public var kinds = [IdentifierKind.int]
  /// Runs of each measurement.
  public var repeats = 4

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--n": sizes = Set(try words.numbers(of: name, in: 1_000...10_000_000)).sorted()
      case "--ids": kinds = try words.kinds(of: name)
      case "--repeat": repeats = try words.repeats(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
