/// How answers to input are to be measured.
public struct InputOptions: Hashable, Sendable {
  /// Items.
  public var items = 10_000_000
  /// Jumps of the thumb.
  public var jumps = 10_000
  /// Refreshes a second.
  public var refreshRate = 60
  /// Notches of a wheel.
  public var notches = 2_000

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { (jumps, notches) = (1_000, 300) }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--n": items = try words.number(of: name, in: 1_000...100_000_000)
      case "--jumps": jumps = try words.number(of: name, in: 100...1_000_000)
      case "--notches": notches = try words.number(of: name, in: 100...1_000_000)
      case "--refresh": refreshRate = try words.number(of: name, in: 10...1_000)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
