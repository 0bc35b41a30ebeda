import DataStructures
import Geometry
import Glibc
import ImageMetadata
import Rendering

/// Does what is to be done for one picture: has all of it decoded, and puts its thumbnail where programs look for it.
struct SharingWorker {
  /// How work on a picture ended.
  enum Ending: Hashable {
    /// A thumbnail or a failure was written.
    case written
    /// There is nothing to be written.
    case settled
    /// Something more urgent came.
    case stopped
    /// The system was short of something.
    case postponed
    /// Not now.
    case forgotten
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
  func carryOut(_ candidate: SharingCandidate, mayGoOn: () -> Bool) throws(StorageError) -> Ending {
    guard let name = SharedName(of: candidate.path, workingFolder: workingFolder) else { return .settled }
    let file: PictureFile
    do throws(ImageFailure) {
      file = try PictureFile(path: name.path)
    } catch {
      return SharingWorker.isShortage(error) ? .postponed : .forgotten
    }
    // What changes may change once more within the second that programs compare.
    guard file.version == candidate.version, !file.version.identity.isFresh else { return .forgotten }
    let root = try SharedWriter.open(thumbnails, [])
    guard isShared(file, name, root) else { return .settled }
    let folder = try root.folder(candidate.size.folderName)
    if holds(name, file, in: folder) { return .settled }
    guard mayGoOn() else { return .stopped }
    switch decode(file, request(candidate.size, background: 0)) {
    case .failure(.interrupted): return .stopped
    case .failure(let failure):
      if failure.persistence == .passing { return .postponed }
      guard candidate.hasFailed, let reason = SharedFailure(failure, of: file.format) else {
        return .settled
      }
      return try note(reason, name, file, mayGoOn)
    case .success(let image):
      guard mayGoOn() else { return .stopped }
      return try share(image, candidate, name, file, in: folder, mayGoOn)
    }
  }

  /// Whether a file could not be opened for a reason that is not its own.
  private static func isShortage(_ failure: ImageFailure) -> Bool {
    guard case .cannotOpen(let code) = failure else { return false }
    return [EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR].contains(code)
  }

  // MARK: - What is shared

  /// Whether a file's thumbnail may lie in the folder of thumbnails.
  ///
  /// Judged by what things are, not by what they are called: links lead anywhere.
  private func isShared(_ file: borrowing PictureFile, _ name: SharedName, _ root: StorageFolder) -> Bool {
    let (parent, own) = name.split
    guard let folder = try? StorageFolder(existing: parent), isKeptAsWell(file, in: root),
      let secrecy = folder.secrecy, root.secrecy?.mayHold(copyOf: secrecy) == true,
      // A link's file may be in a folder that is excluded, and have another name there.
      folder.inode(of: own) == file.version.identity.inode, let lineage = try? folder.lineage()
    else { return false }
    let barred = ([thumbnails] + excluded).compactMap { path in
      (try? StorageFolder(existing: path)).flatMap { try? $0.lineage().first }
    }
    return !lineage.contains { barred.contains($0) }
  }

  /// Whether a copy of a file is no easier to come by in a folder.
  private func isKeptAsWell(_ file: borrowing PictureFile, in folder: StorageFolder) -> Bool {
    guard let original = file.secrecy, let copy = folder.secrecy else { return false }
    return copy.mayHold(copyOf: original)
  }

  private func holds(_ name: SharedName, _ file: borrowing PictureFile, in folder: StorageFolder) -> Bool {
    guard let present = try? folder.openForReading(name.fileName), (try? present.ownedIdentity()) != nil,
      let facts = SharedThumbnailFacts(present.firstBytes(SharedThumbnailFacts.mostBytes))
    else { return false }
    return facts.areOf(name.uri, file.version.identity)
  }

  /// All of the picture at a size.
  private func request(_ size: SharedSize, background: UInt32) -> ImageRequest {
    guard let square = PixelSize(width: size.side, height: size.side) else { misuse("\(size) is no size") }
    return ImageRequest(
      key: ImageKey(source: 0, size: square, fit: .fit), source: .painted(0), background: background)
  }

  // MARK: - What is written

  private func share(
    _ image: DecodedImage, _ candidate: SharingCandidate, _ name: SharedName, _ file: borrowing PictureFile,
    in folder: StorageFolder, _ mayGoOn: () -> Bool
  ) throws(StorageError) -> Ending {
    let (side, size) = (candidate.size.side, image.bitmap.size)
    guard !image.isDamaged, let source = image.sourceSize, max(source.width, source.height) > side,
      max(size.width, size.height) == side
    else { return .settled }
    switch isOpaque(image, candidate, file) {
    case .success(true): break
    case .success(false): return .settled
    case .failure(.interrupted): return .stopped
    case .failure(let failure): return failure.persistence == .passing ? .postponed : .forgotten
    }
    let texts =
      texts(name, file) + [
        ("Thumb::Image::Width", "\(source.width)"), ("Thumb::Image::Height", "\(source.height)"),
      ]
    guard let bytes = PNGFile.bytes(of: image.bitmap, texts: texts, mayGoOn: mayGoOn) else { return .stopped }
    return try put(bytes, name, file, in: folder) { holds(name, file, in: folder) }
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

  private func note(
    _ reason: SharedFailure, _ name: SharedName, _ file: borrowing PictureFile, _ mayGoOn: () -> Bool
  ) throws(StorageError) -> Ending {
    guard mayGoOn() else { return .stopped }
    let folder = try SharedWriter.open(thumbnails, ["fail", SharedFailure.folderName])
    let pixel = PixelSize(width: 1, height: 1)
    let nothing = pixel.flatMap {
      try? Bitmap(size: $0, isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    }
    let texts =
      texts(name, file) + [
        (SharedFailure.keyword, reason.rawValue), (SharedFailure.changeKeyword, SharedFailure.change(file.version)),
      ]
    guard let nothing, let bytes = PNGFile.bytes(of: nothing, texts: texts) else { return .settled }
    // One that is there and was not believed is of a file that was another.
    return try put(bytes, name, file, in: folder) { false }
  }

  private func texts(_ name: SharedName, _ file: borrowing PictureFile) -> [PNGFile.Text] {
    let identity = file.version.identity
    return [
      ("Thumb::URI", name.uri), ("Thumb::MTime", "\(identity.modifiedSeconds)"),
      ("Thumb::Size", "\(identity.byteCount)"), ("Software", "Vitrine"),
    ]
  }

  private func put(
    _ bytes: [UInt8], _ name: SharedName, _ file: borrowing PictureFile, in folder: StorageFolder,
    unless isThere: () -> Bool
  ) throws(StorageError) -> Ending {
    guard file.currentVersion == file.version else { return .forgotten }
    guard isKeptAsWell(file, in: folder) else { return .settled }
    let outcome = try SharedWriter.put(bytes, as: name.fileName, in: folder, unless: isThere)
    switch outcome {
    case .written: return .written
    case .present: return .settled
    case .busy: return .postponed
    }
  }
}
