/// How a loop without work is to be run.
public struct NullOptions: Hashable, Sendable {
  /// Refreshes a second.
  public var refreshRate = 60
  /// For how long, in seconds.
  public var seconds = 10

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--refresh": refreshRate = try words.number(of: name, in: 10...1_000)
      case "--seconds": seconds = try words.number(of: name, in: 1...3_600)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
