/// What was had from the web: where its bytes are on this machine, as they came.
public struct RemoteContent: Hashable, Sendable {
  /// The address that was asked for.
  public let url: RemoteURL
  /// Where the bytes are.
  public let source: ImageSource
  /// How many there are.
  public let byteCount: Int
  /// Another number once what is at the address has changed.
  public let version: UInt64
  /// Whether a server of the internet gave it; addresses in it then are not the user's.
  public private(set) var isFromPublicServer: Bool

  /// The same, which a server has said still holds.
  func markedPublic(byPublicServer isPublic: Bool) -> RemoteContent {
    var content = self
    if isPublic { content.isFromPublicServer = true }
    return content
  }

  /// Reads all bytes.
  ///
  /// Blocks on the disk; not for the thread that draws. The C function is `pread`.
  /// - Parameter count: the most bytes that make sense.
  /// - Throws: ``RemoteFailure/cannotKeep(_:)`` where they are not there any more, ``RemoteFailure/tooLarge(limit:)``.
  public func bytes(atMost count: Int) throws(RemoteFailure) -> [UInt8] {
    let file = try openFile()
    let bytes = file.version.identity.byteCount
    guard bytes <= count else { throw .tooLarge(limit: count) }
    return try DownloadFileSystem.read(file.number, count: bytes)
  }

  private func openFile() throws(RemoteFailure) -> PictureFile {
    do throws(ImageFailure) {
      return try PictureFile(source)
    } catch {
      throw .cannotStore(0)
    }
  }
}
