import Geometry
import Glibc

/// The thumbnails that a desktop's programs share, as freedesktop.org's thumbnail specification lays them down.
///
/// A folder with a folder for each size; a thumbnail's name is the MD5 digest of its original's URI. Nothing in it is
/// believed but what is checked: owner, original, time of change, size; and it is decoded like any picture of a stranger's.
struct SharedThumbnails: Sendable {
  /// A thumbnail of a file as it is now.
  struct Found {
    /// Its file.
    let file: StorageFile
    /// Which file it is, in which version.
    let identity: FileIdentity
    /// What it says of itself.
    let facts: SharedThumbnailFacts
    /// Whether nothing of it has to be enlarged; otherwise it only stands in for the picture.
    var suffices = true
  }

  private static let mostFileBytes = 16 << 20

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
    workingFolder = StorageFolder.working
  }

  /// How a file's thumbnails are named; nothing for one that has none, as thumbnails have no thumbnails.
  func name(of original: [UInt8]) -> SharedName? {
    guard let name = SharedName(of: original, workingFolder: workingFolder),
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
    _ name: SharedName, _ identity: FileIdentity, for request: ImageRequest, acceptsSmaller: Bool = false
  ) -> Found? {
    let longest = max(request.key.size.width, request.key.size.height)
    var standIn: Found?
    for size in SharedSize.allCases where acceptsSmaller || size.side >= longest {
      guard var found = thumbnail(name, identity, size) else { continue }
      found.suffices = SharedThumbnails.suffices(found.facts.size, for: request.key.size, request.key.fit)
      if found.suffices, size.side >= longest { return found }
      found.suffices = false
      standIn = found
    }
    return acceptsSmaller ? standIn : nil
  }

  private func thumbnail(_ name: SharedName, _ identity: FileIdentity, _ size: SharedSize) -> Found? {
    guard let found = open("\(size.folderName)/\(name.fileName)"), found.facts.areOf(name.uri, identity),
      max(found.facts.size.width, found.facts.size.height) <= size.side
    else { return nil }
    return found
  }

  /// Why a file has no thumbnail, as an earlier run of this program has found; nothing where none has of late.
  ///
  /// The C function is `time`.
  func failure(_ name: SharedName, _ version: PictureFile.Version) -> SharedFailure? {
    guard let found = open("fail/\(SharedFailure.folderName)/\(name.fileName)"),
      SharedFailure.isBelieved(notedAt: found.identity.modifiedSeconds, now: time(nil))
    else { return nil }
    return found.facts.failure(of: name.uri, version)
  }

  /// Whether nothing of a thumbnail would have to be enlarged.
  private static func suffices(_ size: PixelSize, for wanted: PixelSize, _ fit: ImageFit) -> Bool {
    switch fit {
    case .fill, .fillWithoutEnlarging: size.width >= wanted.width && size.height >= wanted.height
    case .fit: size.width >= wanted.width || size.height >= wanted.height
    }
  }

  private func open(_ name: String) -> Found? {
    guard let file = try? folder.openForReading(name), let owned = try? file.ownedIdentity(),
      owned.byteCount <= SharedThumbnails.mostFileBytes,
      let facts = SharedThumbnailFacts(file.firstBytes(SharedThumbnailFacts.mostBytes))
    else { return nil }
    return Found(file: file, identity: owned, facts: facts)
  }
}
