/// An option as a command line gives it.
public nonisolated struct ParsedOption: Hashable, Codable, Sendable {
  /// The name, with its dashes.
  public var name: String
  /// Its value; nothing for a switch.
  public var value: String?

  /// Makes one.
  public init(_ name: String, _ value: String? = nil) {
    self.name = name
    self.value = value
  }

  /// The word of a command line that gives it.
  var argument: String { value.map { "\(name)=\($0)" } ?? name }
}
