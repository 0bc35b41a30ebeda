/// How decoding processes are to be tried with pictures that mean them ill.
public struct HostileOptions: Hashable, Sendable {
  /// The folder of pictures and their list, `MANIFEST.tsv`; where nothing is told, some are made up.
  public var pictures: String?
  /// The executable of the decoding process; where nothing is told, the one beside the program.
  public var decoder: String?
  /// The longest side of what is made of each, in pixels.
  public var side = 256

  /// Reads the options behind the command's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--pictures": pictures = try words.path(of: name)
      case "--decoder": decoder = try words.path(of: name)
      case "--size": side = try words.number(of: name, in: 16...4_096)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
