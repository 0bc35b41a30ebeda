/// Where and how much of what was prepared is kept on disk.
public struct StorageConfiguration: Hashable, Sendable {
  /// The bytes of our cache folder's path; it is made where it is missing.
  public var directory: [UInt8]
  /// What the thumbnails may take on disk, in bytes.
  public var thumbnailBytes: Int
  /// The bytes of the path of the folder of thumbnails that programs share (freedesktop.org), an absolute one; nothing
  /// where they are not to be read.
  public var sharedThumbnails: [UInt8]?
  /// Whether thumbnails are written there too, while nothing is asked for; in real time alone.
  public var sharesThumbnails: Bool
  /// The bytes of paths of folders whose pictures have no thumbnails there: neither have those in
  /// ``directory`` and in the folder of thumbnails itself.
  public var unsharedFolders: [[UInt8]]
  /// How long nothing may have moved before a thumbnail is written there.
  var idleTimeBeforeSharing = Duration.seconds(1)

  /// Makes a configuration.
  ///
  /// - Precondition: the bytes are more than none.
  public init(
    directory: [UInt8], thumbnailBytes: Int = 1 << 30, sharedThumbnails: [UInt8]? = nil, sharesThumbnails: Bool = false,
    unsharedFolders: [[UInt8]] = []
  ) {
    self.directory = directory
    self.thumbnailBytes = thumbnailBytes
    self.sharedThumbnails = sharedThumbnails
    self.sharesThumbnails = sharesThumbnails
    self.unsharedFolders = unsharedFolders
  }
}
