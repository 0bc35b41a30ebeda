import Geometry
import Glibc

/// The thumbnails that a desktop's programs share, as freedesktop.org's thumbnail specification lays them down.
///
/// A folder with a folder for each size; a thumbnail's name is the MD5 digest of its original's URI. Nothing in it is
/// believed but what is checked: owner, original, time of change, size; and it is decoded like any picture of a stranger's.
struct SharedThumbnails: Sendable {
  /// A thumbnail of a file as it is now.
  struct Match {
    /// Its file.
    let file: StorageFile
    /// Which file it is, in which version.
    let identity: FileIdentity
    /// What it says of itself.
    let metadata: SharedThumbnailMetadata
    /// Whether nothing of it has to be enlarged; otherwise it only stands in for the picture.
    var isSufficient = true
  }

  private static let maximumFileBytes = 16 << 20

  private let folder: StorageFolder
  private let path: [UInt8]
  /// What relative paths begin at.
  private let workingFolder: [UInt8]

  /// Opens the folder.
  ///
  /// - Returns: nothing where there is none: it is not for us to make for reading.
  init?(_ path: [UInt8]) {
    guard let folder = try? StorageFolder(existing: path) else { return nil }
    self.folder = folder
    self.path = path
    workingFolder = StorageFolder.workingDirectory
  }

  /// How a file's thumbnails are named; nothing for one that has none, as thumbnails have no thumbnails.
  func name(of original: [UInt8]) -> SharedThumbnailName? {
    guard let name = SharedThumbnailName(of: original, workingFolder: workingFolder),
      !name.path.starts(with: path + [UInt8(ascii: "/")])
    else { return nil }
    return name
  }

  /// Looks for a thumbnail of a file that is large enough for a request, the smallest of those.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - identity: the file as it is now.
  ///   - request: what is wanted.
  ///   - acceptsSmaller: whether one that is too small will do where no other is there: then the largest of those.
  func thumbnail(
    _ name: SharedThumbnailName, _ identity: FileIdentity, for request: ImageRequest, acceptsSmaller: Bool = false
  ) -> Match? {
    let longest = max(request.key.size.width, request.key.size.height)
    var standIn: Match?
    for size in SharedThumbnailSize.allCases where acceptsSmaller || size.side >= longest {
      guard var found = thumbnail(name, identity, size) else { continue }
      found.isSufficient = SharedThumbnails.isSufficient(found.metadata.size, for: request.key.size, request.key.fit)
      if found.isSufficient, size.side >= longest { return found }
      found.isSufficient = false
      standIn = found
    }
    return acceptsSmaller ? standIn : nil
  }

  private func thumbnail(_ name: SharedThumbnailName, _ identity: FileIdentity, _ size: SharedThumbnailSize) -> Match? {
    guard let found = openThumbnail("\(size.folderName)/\(name.fileName)"), found.metadata.matches(name.uri, identity),
      max(found.metadata.size.width, found.metadata.size.height) <= size.side
    else { return nil }
    return found
  }

  /// Why a file has no thumbnail, as an earlier run of this program has found; nothing where none has of late.
  ///
  /// The C function is `time`.
  func failure(_ name: SharedThumbnailName, _ version: PictureFile.Version) -> SharedThumbnailFailure? {
    guard let found = openThumbnail("fail/\(SharedThumbnailFailure.folderName)/\(name.fileName)"),
      SharedThumbnailFailure.isValid(notedAt: found.identity.modifiedSeconds, now: time(nil))
    else { return nil }
    return found.metadata.failure(of: name.uri, version)
  }

  /// Whether nothing of a thumbnail would have to be enlarged.
  private static func isSufficient(_ size: PixelSize, for wanted: PixelSize, _ fit: ImageFit) -> Bool {
    switch fit {
    case .fill, .fillWithoutEnlarging: size.width >= wanted.width && size.height >= wanted.height
    case .fit: size.width >= wanted.width || size.height >= wanted.height
    }
  }

  private func openThumbnail(_ name: String) -> Match? {
    guard let file = try? folder.openForReading(name), let owned = try? file.ownedIdentity(),
      owned.byteCount <= SharedThumbnails.maximumFileBytes,
      let facts = SharedThumbnailMetadata(file.firstBytes(SharedThumbnailMetadata.maximumBytes))
    else { return nil }
    return Match(file: file, identity: owned, metadata: facts)
  }
}
