/// What a name in a folder leads to, links followed.
enum EntryTarget: Hashable, Sendable {
  /// A regular file of so many bytes.
  case file(byteCount: Int64)
  /// A folder.
  case folder
  /// A FIFO, a socket or a device.
  case special
  /// A link that leads nowhere or round in a circle.
  case brokenLink
  /// Something that the system says nothing about.
  case inaccessible(PhotoFailure)
}
