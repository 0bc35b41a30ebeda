/// How launching the gallery is to be measured.
public struct LaunchOptions: Hashable, Sendable {
  /// The gallery's executable.
  public var program = ""
  /// A folder of photographs.
  public var folder = ""
  /// The items of the library that has no files.
  public var items = 100_000
  /// Launches of each case, in turn.
  public var repeats = 9
  /// Whether it is launched in a window as well, by the window system that the environment names.
  public var hasWindow = false
  /// Whether instructions are counted, by callgrind, and opened files, by strace, in place of times.
  public var countsInstructions = false
  /// A folder for what the instruments write.
  public var work = "/tmp"

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood, or what is missing.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { repeats = 3 }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--program": program = try words.path(of: name)
      case "--folder": folder = try words.path(of: name)
      case "--n": items = try words.number(of: name, in: 1_000...100_000_000)
      case "--repeat": repeats = try words.repeats(of: name)
      case "--window": hasWindow = true
      case "--instructions": countsInstructions = true
      case "--work": work = try words.path(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if program.isEmpty { throw CommandError("launch needs --program FILE; scripts/bench builds one") }
    if folder.isEmpty { throw CommandError("launch needs --folder FOLDER; scripts/bench makes one") }
  }
}
