/// Which servers may be asked.
///
/// An address that a user gave may lead anywhere. One that a public server gave may not lead to this machine or its
/// neighbours, which trust those who are near, and which nobody outside could ask.
enum RemoteScope: Hashable, Sendable {
  /// Any server.
  case anyServer
  /// Servers that everybody can ask.
  case publicOnly

  /// Whether a server may be asked, as far as its name tells.
  /// - Complexity: O(bytes of the name).
  func allows(_ origin: RemoteOrigin) -> Bool { self == .anyServer || !origin.isPrivate }
}
