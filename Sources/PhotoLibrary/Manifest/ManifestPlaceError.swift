/// An address that a user gave and that is none.
public struct ManifestLocationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address as the user gave it.
  public let input: [UInt8]

  /// One line that names the address and says what is expected.
  public var description: String {
    "\(PhotoPath.printable(input)): no address of the web; give one such as https://example.org/pictures.json"
  }
}
