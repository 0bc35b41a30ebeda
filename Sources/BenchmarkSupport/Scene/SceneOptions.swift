/// How the scene is to be measured.
public struct SceneOptions: Hashable, Sendable {
  /// Where it is shown.
  public var kind: SceneKind
  /// Items, in ascending order.
  public var sizes = [100_000, 1_000_000]
  /// The length of a run, in seconds, after the frames that warm it up.
  public var seconds = 10
  /// Runs of each way and size.
  public var repeats = 3
  /// Refreshes a second.
  public var refreshRate = 60
  /// The one way of which one run is made and told in one line; nothing for the whole measurement.
  public var only: SceneWay?
  /// Where the plain program is that runs in turn with ours; nothing where none does.
  public var peer: String?

  /// Reads the options behind the benchmark's name, among them `--scene`; nothing where that is not there.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init?(_ arguments: [String]) throws(CommandError) {
    guard arguments.contains("--scene") else { return nil }
    kind = .window
    if arguments.contains("--quick") { (seconds, repeats) = (4, 1) }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--scene": kind = try words.one(of: name, SceneKind.allCases.map(\.rawValue), SceneKind.init(rawValue:))
      case "--n": sizes = Set(try words.numbers(of: name, in: 1_000...100_000_000)).sorted()
      case "--seconds": seconds = try words.number(of: name, in: 1...3_600)
      case "--repeat": repeats = try words.repeats(of: name)
      case "--refresh": refreshRate = try words.number(of: name, in: 10...1_000)
      case "--only": only = try words.one(of: name, SceneWay.allCases.map(\.rawValue), SceneWay.init(rawValue:))
      case "--peer": peer = try words.path(of: name)
      default: throw CommandError("unknown option \(name) of --scene; --help lists them")
      }
    }
  }

  /// The arguments that make one run of one way and size, told in one line.
  public func arguments(of way: SceneWay, size: Int) -> [String] {
    [
      "scroll", "--scene", kind.rawValue, "--n", "\(size)", "--seconds", "\(seconds)", "--refresh", "\(refreshRate)",
      "--only", way.rawValue,
    ]
  }
}
