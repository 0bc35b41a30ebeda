/// Which runs of two revisions are to be held beside each other.
public struct ComparisonOptions: Hashable, Sendable {
  /// The first revision's name.
  public var baseName = "before"
  /// The files of figures of its runs.
  public var base: [String] = []
  /// The second's name.
  public var nowName = "now"
  /// The files of its runs.
  public var now: [String] = []
  /// The file that the table is written to; nothing where it is printed alone.
  public var markdown: String?

  /// Reads the options behind the command's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood, or what is missing.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--base": base.append(try words.path(of: name))
      case "--base-name": baseName = try words.path(of: name)
      case "--now": now.append(try words.path(of: name))
      case "--now-name": nowName = try words.path(of: name)
      case "--markdown": markdown = try words.path(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if base.isEmpty || now.isEmpty {
      throw CommandError("compare needs --base FILE and --now FILE; scripts/bench --compare gives them")
    }
  }
}
