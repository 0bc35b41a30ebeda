/// Which file or folder something is, whatever its names: the way to see the same one twice.
struct FileKey: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
}
