import DataStructures
import Geometry
import Glibc
import ImageMetadata
import Rendering

/// Does what is to be done for one picture: has all of it decoded, and puts its thumbnail where programs look for it.
struct SharingWorker {
  /// How work on a picture ended.
  enum Outcome: Hashable {
    /// A thumbnail or a failure was written.
    case written
    /// There is nothing to be written.
    case done
    /// Something more urgent came.
    case stopped
    /// The system was short of something.
    case postponed
    /// Not now.
    case dropped
  }

  /// The path of the folder of all thumbnails.
  let thumbnails: [UInt8]
  /// Folders in which nothing has a thumbnail, besides that of thumbnails: those of the program's own.
  let excluded: [[UInt8]]
  /// What relative paths begin at.
  let workingFolder: [UInt8]
  /// Decodes an open file.
  let decode: (_ file: borrowing PictureFile, _ request: ImageRequest) -> ImageOutcome

  /// Carries a job out.
  ///
  /// - Parameters:
  ///   - candidate: what for.
  ///   - mayGoOn: whether nothing more urgent has come; asked before each step.
  /// - Throws: ``StorageError`` where the disk takes no thumbnails.
  func process(_ candidate: SharingCandidate, mayGoOn: () -> Bool) throws(StorageError) -> Outcome {
    guard let name = SharedThumbnailName(of: candidate.path, workingFolder: workingFolder) else { return .done }
    let file: PictureFile
    do throws(ImageFailure) {
      file = try PictureFile(path: name.path)
    } catch {
      return SharingWorker.isResourceShortage(error) ? .postponed : .dropped
    }
    // What changes may change once more within the second that programs compare.
    guard file.version == candidate.version, !file.version.identity.isFresh else { return .dropped }
    let root = try SharedThumbnailWriter.openFolder(thumbnails, [])
    guard mayShare(file, name, root) else { return .done }
    let folder = try root.openSubfolder(candidate.size.folderName)
    if hasThumbnail(name, file, in: folder) { return .done }
    guard mayGoOn() else { return .stopped }
    switch decode(file, request(candidate.size, background: 0)) {
    case .failure(.interrupted): return .stopped
    case .failure(let failure):
      if failure.persistence == .transient { return .postponed }
      guard candidate.hasFailed, let reason = SharedThumbnailFailure(failure, of: file.format) else {
        return .done
      }
      return try writeFailure(reason, name, file, mayGoOn)
    case .success(let image):
      guard mayGoOn() else { return .stopped }
      return try writeThumbnail(image, candidate, name, file, in: folder, mayGoOn)
    }
  }

  /// Whether a file could not be opened for a reason that is not its own.
  private static func isResourceShortage(_ failure: ImageFailure) -> Bool {
    guard case .cannotOpen(let code) = failure else { return false }
    return [EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR].contains(code)
  }

  // MARK: - What is shared

  /// Whether a file's thumbnail may lie in the folder of thumbnails.
  ///
  /// Judged by what things are, not by what they are called: links lead anywhere.
  private func mayShare(_ file: borrowing PictureFile, _ name: SharedThumbnailName, _ root: StorageFolder) -> Bool {
    let (parent, own) = name.folderAndFile
    guard let folder = try? StorageFolder(existing: parent), isAtLeastAsProtected(file, in: root),
      let secrecy = folder.protection, root.protection?.allowsCopy(of: secrecy) == true,
      // A link's file may be in a folder that is excluded, and have another name there.
      folder.inode(of: own) == file.version.identity.inode, let lineage = try? folder.ancestors()
    else { return false }
    let barred = ([thumbnails] + excluded).compactMap { path in
      (try? StorageFolder(existing: path)).flatMap { try? $0.ancestors().first }
    }
    return !lineage.contains { barred.contains($0) }
  }

  /// Whether a copy of a file is no easier to come by in a folder.
  private func isAtLeastAsProtected(_ file: borrowing PictureFile, in folder: StorageFolder) -> Bool {
    guard let original = file.protection, let copy = folder.protection else { return false }
    return copy.allowsCopy(of: original)
  }

  private func hasThumbnail(_ name: SharedThumbnailName, _ file: borrowing PictureFile, in folder: StorageFolder)
    -> Bool
  {
    guard let present = try? folder.openForReading(name.fileName), (try? present.ownedIdentity()) != nil,
      let facts = SharedThumbnailMetadata(present.firstBytes(SharedThumbnailMetadata.maximumBytes))
    else { return false }
    return facts.matches(name.uri, file.version.identity)
  }

  /// All of the picture at a size.
  private func request(_ size: SharedThumbnailSize, background: UInt32) -> ImageRequest {
    guard let square = PixelSize(width: size.side, height: size.side) else { failPrecondition("\(size) is no size") }
    return ImageRequest(
      key: ImageKey(source: 0, size: square, fit: .fit), source: .generated(0), background: background)
  }

  // MARK: - What is written

  private func writeThumbnail(
    _ image: DecodedImage, _ candidate: SharingCandidate, _ name: SharedThumbnailName, _ file: borrowing PictureFile,
    in folder: StorageFolder, _ mayGoOn: () -> Bool
  ) throws(StorageError) -> Outcome {
    let (side, size) = (candidate.size.side, image.bitmap.size)
    guard !image.isDamaged, let source = image.sourceSize, max(source.width, source.height) > side,
      max(size.width, size.height) == side
    else { return .done }
    switch isOpaque(image, candidate, file) {
    case .success(true): break
    case .success(false): return .done
    case .failure(.interrupted): return .stopped
    case .failure(let failure): return failure.persistence == .transient ? .postponed : .dropped
    }
    let texts =
      texts(name, file) + [
        ("Thumb::Image::Width", "\(source.width)"), ("Thumb::Image::Height", "\(source.height)"),
      ]
    guard let bytes = PNGEncoder.encode(image.bitmap, texts: texts, shouldContinue: mayGoOn) else { return .stopped }
    return try writeFile(bytes, name, file, in: folder) { hasThumbnail(name, file, in: folder) }
  }

  /// Whether nothing shines through a picture: what was put behind it is not its own, and is not to be shared.
  private func isOpaque(
    _ image: DecodedImage, _ candidate: SharingCandidate, _ file: borrowing PictureFile
  ) -> Result<Bool, ImageFailure> {
    // JPEG knows no transparent pixels.
    if file.format == .jpeg { return .success(true) }
    return decode(file, request(candidate.size, background: 0xFF_FFFF)).map { other in
      other.bitmap.contentDigest == image.bitmap.contentDigest
    }
  }

  private func writeFailure(
    _ reason: SharedThumbnailFailure, _ name: SharedThumbnailName, _ file: borrowing PictureFile, _ mayGoOn: () -> Bool
  ) throws(StorageError) -> Outcome {
    guard mayGoOn() else { return .stopped }
    let folder = try SharedThumbnailWriter.openFolder(thumbnails, ["fail", SharedThumbnailFailure.folderName])
    let pixel = PixelSize(width: 1, height: 1)
    let nothing = pixel.flatMap {
      try? Bitmap(size: $0, isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    }
    let texts =
      texts(name, file) + [
        (SharedThumbnailFailure.keyword, reason.rawValue),
        (SharedThumbnailFailure.changeKeyword, SharedThumbnailFailure.changeTime(file.version)),
      ]
    guard let nothing, let bytes = PNGEncoder.encode(nothing, texts: texts) else { return .done }
    // One that is there and was not believed is of a file that was another.
    return try writeFile(bytes, name, file, in: folder) { false }
  }

  private func texts(_ name: SharedThumbnailName, _ file: borrowing PictureFile) -> [PNGEncoder.Text] {
    let identity = file.version.identity
    return [
      ("Thumb::URI", name.uri), ("Thumb::MTime", "\(identity.modifiedSeconds)"),
      ("Thumb::Size", "\(identity.byteCount)"), ("Software", "Vitrine"),
    ]
  }

  private func writeFile(
    _ bytes: [UInt8], _ name: SharedThumbnailName, _ file: borrowing PictureFile, in folder: StorageFolder,
    unless isThere: () -> Bool
  ) throws(StorageError) -> Outcome {
    guard file.currentVersion == file.version else { return .dropped }
    guard isAtLeastAsProtected(file, in: folder) else { return .done }
    let outcome = try SharedThumbnailWriter.writeFile(bytes, as: name.fileName, in: folder, unless: isThere)
    switch outcome {
    case .written: return .written
    case .alreadyPresent: return .done
    case .busy: return .postponed
    }
  }
}
