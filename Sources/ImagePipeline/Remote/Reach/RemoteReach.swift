/// Which servers may be asked.
///
/// An address that a user gave may lead anywhere. One that a public server gave may not lead to this machine or its
/// neighbours, which trust those who are near, and which nobody outside could ask.
enum RemoteReach: Hashable, Sendable {
  /// Any server.
  case anywhere
  /// Servers that everybody can ask.
  case publicAlone

  /// Whether a server may be asked, as far as its name tells.
  /// - Complexity: O(bytes of the name).
  func admits(_ origin: RemoteOrigin) -> Bool { self == .anywhere || !origin.isNear }
}
