/// How decoding is to be measured.
public struct DecodeOptions: Hashable, Sendable {
  /// The folder of pictures.
  public var pictures = ""
  /// The folder of the peers' programs.
  public var peers = ""
  /// The executable of the decoding process; where nothing is told, the one beside the program.
  public var decoder: String?
  /// The longest side of the thumbnails, in pixels.
  public var sizes = [256, 512]
  /// Runs of each measurement, ours and the peer's in turn.
  public var repeats = 5

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood, or one of the folders where it is missing.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { repeats = 3 }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--pictures": pictures = try words.path(of: name)
      case "--peers": peers = try words.path(of: name)
      case "--decoder": decoder = try words.path(of: name)
      case "--sizes": sizes = Set(try words.numbers(of: name, in: 16...4_096)).sorted()
      case "--repeat": repeats = try words.repeats(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if pictures.isEmpty { throw CommandError("decode needs --pictures FOLDER; scripts/bench makes one") }
    if peers.isEmpty { throw CommandError("decode needs --peers FOLDER; scripts/bench makes one") }
  }
}
