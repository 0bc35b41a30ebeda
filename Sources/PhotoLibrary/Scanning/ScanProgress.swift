/// How far a scan is.
public struct ScanProgress: Hashable, Sendable {
  /// Photographs found so far.
  public var found = 0
  /// Folders that were listed or given up.
  public var foldersRead = 0
  /// Folders that are known to be there.
  public var foldersKnown = 0

  /// Makes the progress of a scan that has not begun.
  public init() {}

  /// Whether all names are known, though not all headers.
  public var isListed: Bool { foldersRead == foldersKnown }
}
