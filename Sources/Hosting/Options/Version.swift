/// The version of the library and of its programs, in the manner of semantic versioning.
public enum Version {
  /// The number.
  public static let number = "0.1.0"
}
