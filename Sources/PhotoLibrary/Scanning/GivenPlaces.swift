/// Places that a user gave, looked at: what a scan begins from.
public struct LibraryRoots: Hashable, Sendable {
  /// The places to scan, in the order in which they were given.
  public let roots: [LibraryRoot]
  /// A picture that was given alone: its folder is what is scanned, and the picture what is meant.
  public let wantedPath: PhotoPath?

  /// Looks at paths by the user's own bytes; links count as what they lead to.
  ///
  /// Blocks for as long as the disks or networks behind them take.
  ///
  /// - Throws: ``LibraryError`` for the first path that no library can be made of.
  /// - Complexity: O(n) calls of the system for n paths.
  public init(checking paths: [[UInt8]]) throws(LibraryError) {
    var roots: [LibraryRoot] = []
    for path in paths { roots.append(try LibraryRoot(input: path)) }
    guard roots.count == 1, roots[0].kind == .picture else {
      self.roots = roots
      wantedPath = nil
      return
    }
    let picture = roots[0].path.absolute
    self.roots = [try LibraryRoot(checking: picture.parent)]
    wantedPath = picture
  }
}
