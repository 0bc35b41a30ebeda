/// What a name in a folder stands for.
enum EntryType: Sendable {
  /// A regular file.
  case file
  /// A folder.
  case folder
  /// A symbolic link.
  case link
  /// A FIFO, a socket or a device.
  case special
  /// The file system does not say before it is asked about the entry itself.
  case unknown
}
