/// Which figures are to be held against which thresholds.
public struct JudgeOptions: Hashable, Sendable {
  /// The files of figures.
  public var figures: [String] = []
  /// The benchmarks that were run.
  public var benchmarks: [String] = []
  /// The file of thresholds.
  public var thresholds = ""
  /// The history of the tree; nil where none is looked at.
  public var landed: String?
  /// The history of this machine, which the run is added to; nil where there is none.
  public var history: String?
  /// The file that the table is written to; nil where it is only printed.
  public var markdown: String?
  /// Whether what means something on every machine is added to the history of the tree.
  public var lands = false
  /// Which run it was.
  public var revision = "unknown"
  /// When it was.
  public var date = "unknown"
  /// What the programs were built by.
  public var toolchain = "unknown"
  /// Whether it was a quick run.
  public var isQuick = false

  /// Whether only what counts was run: thresholds of times and sizes are left alone.
  public var isCounted = false

  /// Reads the options behind the command's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood, or what is missing.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--figures": figures.append(try words.path(of: name))
      case "--benchmarks": benchmarks = try words.list(of: name, "names of benchmarks") { $0.isEmpty ? nil : $0 }
      case "--thresholds": thresholds = try words.path(of: name)
      case "--landed": landed = try words.path(of: name)
      case "--history": history = try words.path(of: name)
      case "--markdown": markdown = try words.path(of: name)
      case "--land": lands = true
      case "--revision": revision = try words.path(of: name)
      case "--date": date = try words.path(of: name)
      case "--toolchain": toolchain = try words.path(of: name)
      case "--quick": isQuick = true
      case "--counted": isCounted = true
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if figures.isEmpty || thresholds.isEmpty {
      throw CommandError("judge needs --figures FILE and --thresholds FILE; scripts/bench all gives them")
    }
    if lands, landed == nil { throw CommandError("--land needs --landed FILE") }
  }
}
