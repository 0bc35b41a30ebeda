/// What the system tells about a file or folder.
struct FileStatus: Hashable, Sendable {
  /// What it is.
  var type: EntryType
  /// Which it is, in which version.
  var identity: FileIdentity

  /// Which it is, in whichever version.
  var key: FileKey { FileKey(device: identity.device, inode: identity.inode) }
}
