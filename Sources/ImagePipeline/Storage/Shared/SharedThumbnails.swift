import Geometry

/// The thumbnails that a desktop's programs share, as freedesktop.org's thumbnail specification lays them down.
///
/// A folder with a folder for each size; a thumbnail's name is the MD5 digest of its original's URI. Nothing in it is
/// believed but what is checked: owner, original, time of change, size; and it is decoded like any picture of a stranger's.
struct SharedThumbnails: Sendable {
  /// A thumbnail that is good enough for a request.
  struct Found {
    /// Its file.
    let file: StorageFile
    /// Which file it is, in which version.
    let identity: FileIdentity
  }

  /// The folders, and the longest side of what is in them.
  private static let sizes = [("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1_024)]
  private static let largestSide = 1_024
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

  /// Looks for a thumbnail of a file that is large enough for a request, the smallest of those.
  ///
  /// - Parameters:
  ///   - original: the file's path.
  ///   - identity: the file as it is now.
  ///   - request: what is wanted.
  func thumbnail(of original: [UInt8], _ identity: FileIdentity, for request: ImageRequest) -> Found? {
    let longest = max(request.key.size.width, request.key.size.height)
    guard longest <= SharedThumbnails.largestSide, let place = absolute(original), !isInside(place),
      let uri = DesktopNames.uri(ofPath: place), let name = DesktopNames.digest(uri)
    else { return nil }
    for (size, side) in SharedThumbnails.sizes where side >= longest {
      guard let found = open("\(size)/\(name).png"),
        let facts = SharedThumbnailFacts(found.file.firstBytes(SharedThumbnailFacts.mostBytes)),
        facts.areOf(uri, modifiedSeconds: identity.modifiedSeconds, byteCount: identity.byteCount),
        max(facts.size.width, facts.size.height) <= side,
        SharedThumbnails.suffices(facts.size, for: request.key.size, request.key.fit)
      else { continue }
      return found
    }
    return nil
  }

  /// Whether nothing of a thumbnail would have to be enlarged.
  private static func suffices(_ size: PixelSize, for wanted: PixelSize, _ fit: ImageFit) -> Bool {
    switch fit {
    case .fill, .fillWithoutEnlarging: size.width >= wanted.width && size.height >= wanted.height
    case .fit: size.width >= wanted.width || size.height >= wanted.height
    }
  }

  /// A path from the root, without what leads nowhere; nothing for one that leads upwards, which depends on links.
  private func absolute(_ original: [UInt8]) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    let parts = (original.first == slash ? original : workingFolder + [slash] + original).split(separator: slash)
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
    return [slash] + parts.filter { !$0.elementsEqual(".".utf8) }.joined(separator: [slash])
  }

  /// Thumbnails have no thumbnails.
  private func isInside(_ original: [UInt8]) -> Bool { original.starts(with: path + [UInt8(ascii: "/")]) }

  private func open(_ name: String) -> Found? {
    guard let file = try? folder.openForReading(name), let owned = try? file.ownedIdentity(),
      owned.byteCount <= SharedThumbnails.mostFileBytes
    else { return nil }
    return Found(file: file, identity: owned)
  }
}
