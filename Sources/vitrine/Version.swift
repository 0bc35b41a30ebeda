/// The program's version, in the manner of semantic versioning.
enum Version {
  /// The number.
  static let number = "0.1.0"
}
