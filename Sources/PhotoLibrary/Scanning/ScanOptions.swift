/// How a scan goes about it.
public struct ScanOptions: Hashable, Sendable {
  /// Folders that are left out with all in them, under whatever name they are met: our own caches.
  public var excludedFolders: [PhotoPath] = []
  /// Whether somebody waits for every batch by ``FolderScan/takeBatch(count:)``: then the threads keep their priority,
  /// and nothing depends on how long anything takes.
  public var isDeterministic = false

  /// Makes the options of a scan beside a live window.
  public init(excludedFolders: [PhotoPath] = [], isDeterministic: Bool = false) {
    self.excludedFolders = excludedFolders
    self.isDeterministic = isDeterministic
  }
}
