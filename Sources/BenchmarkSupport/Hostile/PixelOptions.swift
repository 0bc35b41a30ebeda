/// Which pictures are to be decoded into files of pixels, for a comparison with other decoders.
public struct PixelOptions: Hashable, Sendable {
  /// A file of paths, one a line.
  public var list: String
  /// The folder that the pixels are written to.
  public var output: String
  /// The executable of the decoding process; nil for the one beside the program.
  public var decoder: String?
  /// The longest sides of what is made of each picture, in pixels.
  public var sides = [1024, 96]

  /// Reads the options behind the command's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood, or the one that is missing.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    var (list, output) = (String?.none, String?.none)
    while let name = words.next() {
      switch name {
      case "--list": list = try words.path(of: name)
      case "--output": output = try words.path(of: name)
      case "--decoder": decoder = try words.path(of: name)
      case "--sizes": sides = try words.numbers(of: name, in: 16...4_096)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    guard let list else { throw CommandError("pixels needs --list FILE") }
    guard let output else { throw CommandError("pixels needs --output FOLDER") }
    self.list = list
    self.output = output
  }
}
