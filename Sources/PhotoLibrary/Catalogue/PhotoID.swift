/// Names a photograph for the length of a run: the same path has the same name, and no other path ever gets it.
///
/// It is no row number: photographs that come, go and move keep theirs.
public struct PhotoID: Hashable, Sendable {
  /// The number behind the name; its order means nothing.
  public let rawValue: UInt32

  /// Makes a name from its number, for libraries that keep no ``PhotoCatalogue``.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}
