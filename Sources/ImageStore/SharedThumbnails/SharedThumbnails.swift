import CVitrineGLib
import Glibc
import VitrineFileReading
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline

/// The thumbnails shared by the programs of a desktop, as defined by freedesktop.org's thumbnail specification.
///
/// The folder has a subfolder for each size, and the name of a thumbnail is the MD5 digest of its original's URI. No
/// thumbnail is trusted: owner, original, modification time and size are checked, and it is decoded in the sandbox.
struct SharedThumbnails: Sendable {
  /// A thumbnail of the current version of a file.
  struct Match {
    /// The thumbnail's file.
    let file: StorageFile
    /// The identity and version of the thumbnail's file.
    let identity: ImageFileIdentity
    /// The thumbnail's metadata.
    let metadata: SharedThumbnailMetadata
    /// Whether the thumbnail need not be enlarged; otherwise it serves only as a preview.
    var isSufficient = true
  }

  private static let maximumFileBytes = 16 << 20

  private let folder: StorageFolder
  private let path: [UInt8]
  /// The folder that relative paths start from.
  private let workingFolder: [UInt8]
  private let fixes: SecurityFixes
  private let reader: FileReader

  /// Opens the folder.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - fixes: The fixes of decoders. What a decoder of this program made before its fix is not returned. Default: those
  ///     of this program.
  ///   - reader: The reader of thumbnails. Default: one of its own.
  /// - Returns: Nil if there is no folder; it is not created for reading.
  init?(_ path: [UInt8], fixes: SecurityFixes = .current, reader: FileReader = FileReader()) {
    guard let folder = try? StorageFolder(existing: path) else { return nil }
    self.folder = folder
    self.path = path
    self.fixes = fixes
    self.reader = reader
    workingFolder = StorageFolder.workingDirectory
  }

  /// Returns the name of a file's thumbnails, or nil if it has none, as thumbnails have no thumbnails.
  func name(of original: [UInt8]) -> SharedThumbnailName? {
    guard let name = SharedThumbnailName(of: original, workingFolder: workingFolder),
      !name.path.starts(with: path + [UInt8(ascii: "/")])
    else { return nil }
    return name
  }

  /// Returns the smallest thumbnail of a file that is large enough for a request.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - identity: The current version of the file.
  ///   - request: The request.
  ///   - acceptsSmaller: Whether to return the largest of the smaller thumbnails if none is large enough.
  func thumbnail(
    _ name: SharedThumbnailName, _ identity: ImageFileIdentity, for request: ImageRequest, acceptsSmaller: Bool = false
  ) -> Match? {
    let longest = max(request.key.size.width, request.key.size.height)
    var fallback: Match?
    for size in SharedThumbnailSize.allCases where acceptsSmaller || size.side >= longest {
      guard var found = thumbnail(name, identity, size) else { continue }
      found.isSufficient = SharedThumbnails.isSufficient(found.metadata.size, for: request.key.size, request.key.fit)
      if found.isSufficient, size.side >= longest { return found }
      found.isSufficient = false
      fallback = found
    }
    return acceptsSmaller ? fallback : nil
  }

  private func thumbnail(_ name: SharedThumbnailName, _ identity: ImageFileIdentity, _ size: SharedThumbnailSize)
    -> Match?
  {
    guard let found = openThumbnail("\(size.folderName)/\(name.fileName)"), found.metadata.matches(name.uri, identity),
      max(found.metadata.size.width, found.metadata.size.height) <= size.side, found.metadata.isAccepted(by: fixes)
    else { return nil }
    return found
  }

  /// Returns the recently recorded reason why a file has no thumbnail, or nil if there is none.
  ///
  /// The C function is `time`.
  func failure(_ name: SharedThumbnailName, _ version: ImageFile.Version) -> SharedThumbnailFailure? {
    guard let found = openThumbnail("fail/\(SharedThumbnailFailure.folderName)/\(name.fileName)"),
      SharedThumbnailFailure.isValid(recordedAt: found.identity.modifiedSeconds, now: time(nil))
    else { return nil }
    return found.metadata.failure(of: name.uri, version)
  }

  /// Returns whether a thumbnail need not be enlarged.
  private static func isSufficient(_ size: PixelSize, for requestedSize: PixelSize, _ fit: ImageFit) -> Bool {
    switch fit {
    case .fill, .fillWithoutEnlarging: size.width >= requestedSize.width && size.height >= requestedSize.height
    case .fit: size.width >= requestedSize.width || size.height >= requestedSize.height
    }
  }

  // MARK: - Images

  /// Returns the image of a file's thumbnail, or the failure recorded in one by an earlier run.
  ///
  /// For a preview, a thumbnail that is too small is enlarged.
  ///
  /// - Returns: The outcome, or nil if there is no usable thumbnail.
  func image(
    of file: borrowing ImageFile, at path: [UInt8], for request: ImageRequest,
    decode: (_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome
  ) -> ImageOutcome? {
    guard let name = name(of: path) else { return nil }
    let isPreview = request.representation == .embedded
    if let match = thumbnail(name, file.version.identity, for: request, acceptsSmaller: isPreview),
      let outcome = image(of: match, file, request, decode)
    {
      return outcome
    }
    guard request.representation == .full, let failure = failure(name, file.version) else { return nil }
    return .failure(.refused(failure.status))
  }

  private func image(
    of match: Match, _ file: borrowing ImageFile, _ request: ImageRequest,
    _ decode: (_ file: Int32, _ identity: ImageFileIdentity, _ request: ImageRequest) -> ImageOutcome
  ) -> ImageOutcome? {
    // The whole thumbnail, not a preview embedded in it.
    let outcome = withExtendedLifetime(match) { decode(match.file.number, match.identity, request.ofFullImage) }
    switch outcome {
    case .success(let decoded):
      guard !decoded.isDamaged else { return nil }
      // Those of other programs are files like any other.
      let image = match.metadata.origin.map { decoded.derived(from: $0) } ?? decoded
      return .success(
        match.isSufficient ? image.markedStored(sourceSize: sourceSize(file, match.metadata)) : image.markedPlaceholder)
    case .failure(.interrupted): return outcome
    // A broken thumbnail is not the file's fault.
    case .failure: return nil
    }
  }

  /// Returns the original's size from its header, or nil if the thumbnail does not show all of the original.
  private func sourceSize(_ file: borrowing ImageFile, _ metadata: SharedThumbnailMetadata) -> PixelSize? {
    guard let size = reader.header(of: file.number, byteCount: Int64(file.version.identity.byteCount))?.size,
      metadata.showsAll(of: size)
    else { return nil }
    return size
  }

  private func openThumbnail(_ name: String) -> Match? {
    guard let file = try? folder.openForReading(name), let owned = try? file.ownedIdentity(),
      owned.byteCount <= SharedThumbnails.maximumFileBytes,
      let texts = reader.texts(of: file.number, byteCount: Int64(owned.byteCount))
    else { return nil }
    return Match(file: file, identity: owned, metadata: SharedThumbnailMetadata(texts))
  }
}

/// The name of a file's shared thumbnails.
struct SharedThumbnailName: Hashable, Sendable {
  /// The absolute and normalised path of the file.
  let path: [UInt8]
  /// The file's URI.
  let uri: String
  /// The name of each of its thumbnails, in the folder of its size.
  let fileName: String

  /// Creates the name of a file's thumbnails.
  ///
  /// - Parameters:
  ///   - original: The path of the file.
  ///   - workingFolder: The folder that relative paths start from.
  /// - Returns: Nil for a path with `..`, whose meaning depends on symbolic links.
  init?(of original: [UInt8], workingFolder: [UInt8]) {
    let slash = UInt8(ascii: "/")
    let parts = (original.first == slash ? original : workingFolder + [slash] + original).split(separator: slash)
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
    path = [slash] + parts.filter { !$0.elementsEqual(".".utf8) }.joined(separator: [slash])
    guard let uri = DesktopNames.uri(ofPath: path), let digest = DesktopNames.digest(uri) else { return nil }
    self.uri = uri
    fileName = digest + ".png"
  }

  /// The path of the file's folder, and the file's name in it.
  var folderAndFile: (folder: [UInt8], file: [UInt8]) {
    let slash = UInt8(ascii: "/")
    let end = path.lastIndex(of: slash) ?? path.startIndex
    return (Array(path[...end]), Array(path[(end + 1)...]))
  }
}

/// The sizes of shared thumbnails (freedesktop.org), in increasing order.
enum SharedThumbnailSize: Int, CaseIterable, Sendable {
  case normal = 128
  case large = 256
  case extraLarge = 512
  case doubleExtraLarge = 1_024

  /// The longest side of a thumbnail in pixels.
  var side: Int { rawValue }

  /// The name of the size's folder.
  var folderName: String {
    switch self {
    case .normal: "normal"
    case .large: "large"
    case .extraLarge: "x-large"
    case .doubleExtraLarge: "xx-large"
    }
  }

  /// Returns the smallest size that covers a length in pixels, or nil if none does.
  static func covering(_ longestSide: Int) -> SharedThumbnailSize? { allCases.first { $0.side >= longestSide } }
}

/// The names of files among desktop programs; the interface to GLib.
enum DesktopNames {
  /// Returns the `file://` URI of a file, percent-encoded.
  ///
  /// The C function is `g_filename_to_uri`.
  ///
  /// - Parameter path: The bytes of the path.
  /// - Returns: The URI, or nil if the path is not absolute.
  static func uri(ofPath path: [UInt8]) -> String? {
    guard !path.contains(0) else { return nil }
    guard let text = g_filename_to_uri(path.map { CChar(bitPattern: $0) } + [0], nil, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Returns the MD5 digest of a text in hexadecimal digits.
  ///
  /// The C function is `g_compute_checksum_for_data`. The text is no secret, and a collision only shows a wrong
  /// thumbnail to the user who created both files.
  static func digest(_ text: String) -> String? {
    guard let digits = g_compute_checksum_for_data(G_CHECKSUM_MD5, Array(text.utf8), gsize(text.utf8.count)) else {
      return nil
    }
    defer { g_free(digits) }
    return String(cString: digits)
  }
}
