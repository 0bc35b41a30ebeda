/// What is expected at an address.
public enum RemoteKind: UInt8, CaseIterable, Hashable, Sendable {
  /// A picture.
  case picture
  /// A list of pictures, as JSON.
  case manifest

  /// What it is called in a sentence.
  var name: String {
    switch self {
    case .picture: "picture"
    case .manifest: "list of pictures"
    }
  }
}
