import ImageMetadata

/// A place to scan: a folder with all in it, or one picture.
public struct LibraryRoot: Hashable, Sendable {
  /// What stands there.
  public enum Kind: Hashable, Sendable {
    /// A folder, scanned with all in it.
    case folder
    /// A file under a picture's name or with a picture's first bytes.
    case picture
  }

  /// Where it is, as it was given.
  public let path: PhotoPath
  /// What stands there.
  public let kind: Kind

  /// Looks at a path that a user gave; a link counts as what it leads to.
  ///
  /// A file is a picture when its name or its first bytes say so; that it can be shown is not promised.
  ///
  /// - Throws: ``LibraryError`` when nothing stands there, it may not be read, or it is no picture.
  public init(checking path: PhotoPath) throws(LibraryError) {
    self.path = path
    do {
      let status = try SystemCalls.status(of: path)
      if status.type == .folder {
        _ = try SystemCalls.openFolder(path)
        kind = .folder
        return
      }
      kind = .picture
      if try LibraryRoot.isPicture(path, status) { return }
    } catch {
      throw LibraryError(
        input: path.bytes,
        reason: error.isNotFound ? .notFound : error.isPermissionDenied ? .permissionDenied : .system(error))
    }
    throw LibraryError(input: path.bytes, reason: .notAPicture)
  }

  /// Looks at a path that a user typed; an error names it in the user's own bytes.
  ///
  /// - Throws: ``LibraryError`` when nothing stands there, it may not be read, or it is no picture.
  public init(input: [UInt8]) throws(LibraryError) {
    do {
      try self.init(checking: PhotoPath(input))
    } catch {
      throw LibraryError(input: input, reason: error.reason)
    }
  }

  private static func isPicture(_ path: PhotoPath, _ status: FileStatus) throws(FileError) -> Bool {
    guard status.type == .file else { return ImageFileExtensions.isImageFileName(path.lastComponent) }
    let file = try SystemCalls.openFile(path)
    if ImageFileExtensions.isImageFileName(path.lastComponent) { return true }
    return try ImageFormat(magic: SystemCalls.read(file, from: 0, count: ImageFormat.magicByteCount)) != nil
  }
}
