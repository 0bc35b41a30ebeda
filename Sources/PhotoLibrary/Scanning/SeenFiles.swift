/// Which files a scan has listed, so that links add no file twice.
///
/// A file has one item for each of its plain names. A link to it adds none where it was listed before; where the link
/// comes first, it stands for one of the plain names.
struct FileDeduplicator {
  private var listed: [UInt64: Set<UInt64>] = [:]
  private var linked: Set<FileKey> = []

  /// Whether a plain name is to be listed.
  mutating func shouldListFile(_ key: FileKey) -> Bool {
    if linked.remove(key) != nil { return false }
    // A set for each file system: half the memory of a set of pairs.
    listed[key.device, default: []].insert(key.inode)
    return true
  }

  /// Whether a link to a file is to be listed.
  mutating func shouldListLink(to key: FileKey) -> Bool {
    guard listed[key.device, default: []].insert(key.inode).inserted else { return false }
    linked.insert(key)
    return true
  }
}
