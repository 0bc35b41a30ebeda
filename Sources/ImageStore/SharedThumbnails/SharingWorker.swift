import Glibc
import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineFileReading
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineRendering

/// The work for one file: decodes the whole image and writes its thumbnail to the shared folder.
struct SharingWorker {
  /// The outcome of the work on a file.
  enum Outcome: Hashable {
    /// A thumbnail or a failure was written.
    case written
    /// There is nothing to write.
    case done
    /// Something more urgent came up.
    case stopped
    /// The system lacks a resource.
    case postponed
    /// The file cannot be shared now.
    case dropped
  }

  /// The path of the folder of all thumbnails.
  let thumbnails: [UInt8]
  /// The folders of the program, whose files get no thumbnails, in addition to the folder of thumbnails.
  let excluded: [[UInt8]]
  /// The folder that relative paths start from.
  let workingFolder: [UInt8]
  /// Decodes an open file.
  let decode: (_ file: borrowing ImageFile, _ request: ImageRequest) -> ImageOutcome
  /// Encodes a bitmap as a PNG file with texts.
  let encode: (_ bitmap: Bitmap, _ texts: PNGTexts) -> Result<[UInt8], ImageFailure>
  /// The fixes of decoders; what a decoder of this program made before its fix is replaced.
  var fixes = SecurityFixes.current
  /// The reader of files of other programs.
  var reader = FileReader()

  /// Performs the work for a candidate.
  ///
  /// - Parameters:
  ///   - candidate: The candidate.
  ///   - shouldContinue: A closure called before each step that returns whether nothing more urgent has come up.
  /// - Throws: ``StorageError`` if thumbnails cannot be written.
  func process(_ candidate: SharingCandidate, shouldContinue: () -> Bool) throws(StorageError) -> Outcome {
    guard let name = SharedThumbnailName(of: candidate.path, workingFolder: workingFolder) else { return .done }
    let file: ImageFile
    do throws(ImageFailure) {
      file = try ImageFile(path: name.path)
    } catch {
      return SharingWorker.isResourceShortage(error) ? .postponed : .dropped
    }
    // A fresh file may change again within the same second, which is all that programs compare.
    guard file.version == candidate.version, !file.version.identity.isFresh else { return .dropped }
    let root = try SharedThumbnailWriter.openFolder(thumbnails, [])
    guard mayShare(file, name, root) else { return .done }
    let folder = try root.openSubfolder(candidate.size.folderName)
    if hasThumbnail(name, file, in: folder) { return .done }
    guard shouldContinue() else { return .stopped }
    switch decode(file, request(candidate.size, background: 0)) {
    case .failure(.interrupted): return .stopped
    case .failure(let failure):
      if failure.persistence == .transient { return .postponed }
      guard candidate.hasFailed, let reason = SharedThumbnailFailure(failure, of: format(of: file)) else {
        return .done
      }
      return try writeFailure(reason, name, file, shouldContinue)
    case .success(let image):
      guard shouldContinue() else { return .stopped }
      return try writeThumbnail(image, candidate, name, file, in: folder, shouldContinue)
    }
  }

  /// Returns whether a file could not be opened because the system lacks a resource.
  private static func isResourceShortage(_ failure: ImageFailure) -> Bool {
    guard case .cannotOpen(let code) = failure else { return false }
    return [EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR].contains(code)
  }

  // MARK: - Permission to share

  /// Returns whether a file's thumbnail may be stored in the folder of thumbnails.
  ///
  /// The check is based on inodes, not on names, as symbolic links can point anywhere.
  private func mayShare(_ file: borrowing ImageFile, _ name: SharedThumbnailName, _ root: StorageFolder) -> Bool {
    let (parent, fileName) = name.folderAndFile
    guard let folder = try? StorageFolder(existing: parent), isAtLeastAsProtected(file, in: root),
      let protection = folder.protection, root.protection?.allowsCopy(of: protection) == true,
      // The target of a symbolic link may have another name in an excluded folder.
      folder.inode(of: fileName) == file.version.identity.inode, let ancestors = try? folder.ancestors()
    else { return false }
    let excludedFolders = ([thumbnails] + excluded).compactMap { path in
      (try? StorageFolder(existing: path)).flatMap { try? $0.ancestors().first }
    }
    return !ancestors.contains { excludedFolders.contains($0) }
  }

  /// Returns whether a copy of a file in a folder is no more accessible than the file.
  private func isAtLeastAsProtected(_ file: borrowing ImageFile, in folder: StorageFolder) -> Bool {
    guard let original = file.protection, let copy = folder.protection else { return false }
    return copy.allowsCopy(of: original)
  }

  private func hasThumbnail(_ name: SharedThumbnailName, _ file: borrowing ImageFile, in folder: StorageFolder)
    -> Bool
  {
    guard let present = try? folder.openForReading(name.fileName), let owned = try? present.ownedIdentity(),
      let texts = reader.texts(of: present.number, byteCount: Int64(owned.byteCount))
    else { return false }
    let metadata = SharedThumbnailMetadata(texts)
    return metadata.matches(name.uri, file.version.identity) && metadata.isAccepted(by: fixes)
  }

  private func format(of file: borrowing ImageFile) -> ImageFormat? {
    reader.header(of: file.number, byteCount: Int64(file.version.identity.byteCount))?.format
  }

  /// Returns the request for the whole image at a size.
  private func request(_ size: SharedThumbnailSize, background: UInt32) -> ImageRequest {
    guard let square = PixelSize(width: size.side, height: size.side) else { failPrecondition("\(size) is no size") }
    return ImageRequest(
      key: ImageKey(source: 0, size: square, fit: .fit), source: .generated(0), background: background)
  }

  // MARK: - Writing

  private func writeThumbnail(
    _ image: DecodedImage, _ candidate: SharingCandidate, _ name: SharedThumbnailName, _ file: borrowing ImageFile,
    in folder: StorageFolder, _ shouldContinue: () -> Bool
  ) throws(StorageError) -> Outcome {
    let (side, size) = (candidate.size.side, image.bitmap.size)
    guard !image.isDamaged, let source = image.sourceSize, max(source.width, source.height) > side,
      max(size.width, size.height) == side, fixes.accepts(image.origin)
    else { return .done }
    switch isOpaque(image, candidate, file) {
    case .success(true): break
    case .success(false): return .done
    case .failure(.interrupted): return .stopped
    case .failure(let failure): return failure.persistence == .transient ? .postponed : .dropped
    }
    guard shouldContinue() else { return .stopped }
    var texts = texts(name, file)
    texts.append("Thumb::Image::Width", "\(source.width)")
    texts.append("Thumb::Image::Height", "\(source.height)")
    texts.append(SharedThumbnailMetadata.originKeyword, String(image.origin?.packed ?? 0, radix: 16))
    return try writeFile(encode(image.bitmap, texts), name, file, in: folder) { hasThumbnail(name, file, in: folder) }
  }

  /// Returns whether the image has no transparent pixels, which would show the background of this program.
  private func isOpaque(
    _ image: DecodedImage, _ candidate: SharingCandidate, _ file: borrowing ImageFile
  ) -> Result<Bool, ImageFailure> {
    if format(of: file)?.entry.isOpaque == true { return .success(true) }
    return decode(file, request(candidate.size, background: 0xFF_FFFF)).map { other in
      other.bitmap.contentDigest == image.bitmap.contentDigest
    }
  }

  private func writeFailure(
    _ reason: SharedThumbnailFailure, _ name: SharedThumbnailName, _ file: borrowing ImageFile,
    _ shouldContinue: () -> Bool
  ) throws(StorageError) -> Outcome {
    guard shouldContinue() else { return .stopped }
    let folder = try SharedThumbnailWriter.openFolder(thumbnails, ["fail", SharedThumbnailFailure.folderName])
    let pixel = PixelSize(width: 1, height: 1)
    let blank = pixel.flatMap {
      try? Bitmap(size: $0, isOpaque: true) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    }
    guard let blank else { return .done }
    var texts = texts(name, file)
    texts.append(SharedThumbnailFailure.keyword, reason.rawValue)
    texts.append(SharedThumbnailFailure.changeKeyword, SharedThumbnailFailure.changeTime(file.version))
    // An existing failure file that was not valid belongs to another version of the file.
    return try writeFile(encode(blank, texts), name, file, in: folder) { false }
  }

  private func texts(_ name: SharedThumbnailName, _ file: borrowing ImageFile) -> PNGTexts {
    let identity = file.version.identity
    var texts = PNGTexts()
    texts.append("Thumb::URI", name.uri)
    texts.append("Thumb::MTime", "\(identity.modifiedSeconds)")
    texts.append("Thumb::Size", "\(identity.byteCount)")
    texts.append(SharedThumbnailMetadata.softwareKeyword, SharedThumbnailMetadata.software)
    return texts
  }

  private func writeFile(
    _ encoded: Result<[UInt8], ImageFailure>, _ name: SharedThumbnailName, _ file: borrowing ImageFile,
    in folder: StorageFolder, unless exists: () -> Bool
  ) throws(StorageError) -> Outcome {
    let bytes: [UInt8]
    switch encoded {
    case .success(let encoded): bytes = encoded
    case .failure(.interrupted): return .stopped
    case .failure: return .postponed
    }
    guard file.currentVersion == file.version else { return .dropped }
    guard isAtLeastAsProtected(file, in: folder) else { return .done }
    let outcome = try SharedThumbnailWriter.writeFile(bytes, as: name.fileName, in: folder, unless: exists)
    switch outcome {
    case .written: return .written
    case .alreadyPresent: return .done
    case .busy: return .postponed
    }
  }
}

// MARK: - Writer

/// A writer of files in shared folders, each complete or absent.
///
/// A file is written under a temporary name in its folder and then renamed. A killed instance leaves at most one file
/// per folder, which the next one reuses. The writer belongs to one thread.
struct SharedThumbnailWriter {
  /// The outcome of writing a file.
  enum Outcome: Hashable {
    /// The file was written.
    case written
    /// Another program has written the file first.
    case alreadyPresent
    /// Another instance is writing in this folder.
    case busy
  }

  /// The temporary name of an incomplete file.
  static let partName = ".vitrine.part"
  private static let maximumAttempts = 8

  /// Opens a folder of thumbnails; creates it and the folder of all thumbnails if they are missing.
  ///
  /// - Parameters:
  ///   - path: The path of the folder of all thumbnails.
  ///   - names: The names of the subfolders to open.
  /// - Throws: ``StorageError``, also if a folder belongs to another user, or a subfolder is a symbolic link. The
  ///   folder of all thumbnails may be one, as users move folders to other disks.
  static func openFolder(_ path: [UInt8], _ names: [String]) throws(StorageError) -> StorageFolder {
    var folder = try StorageFolder(inExistingFolder: path)
    guard try folder.isOwn() else { throw StorageError(.open, folder.name, code: EPERM) }
    for name in names { folder = try folder.openSubfolder(name) }
    return folder
  }

  /// Writes a file to a folder.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The name; an existing file is replaced.
  ///   - folder: The folder.
  ///   - exists: A closure called last that returns whether another program has written the file meanwhile.
  /// - Throws: ``StorageError`` if the disk is full or not writable; no file is left behind.
  static func writeFile(
    _ bytes: [UInt8], as name: String, in folder: StorageFolder, unless exists: () -> Bool
  ) throws(StorageError) -> Outcome {
    guard let part = try openPartialFile(in: folder) else { return .busy }
    do throws(StorageError) {
      try part.write(bytes, at: 0)
      guard !exists() else {
        folder.remove(partName)
        return .alreadyPresent
      }
      try folder.rename(partName, to: name)
    } catch {
      folder.remove(partName)
      throw error
    }
    // The lock is held until here, while the file may still have its temporary name.
    withExtendedLifetime(part) {}
    return .written
  }

  /// Returns the empty temporary file, or nil if another instance holds it.
  private static func openPartialFile(in folder: StorageFolder) throws(StorageError) -> StorageFile? {
    for _ in 0..<maximumAttempts {
      let part = try folder.open(partName)
      guard part.isWritable else { throw StorageError(.write, partName, code: EACCES) }
      guard try part.tryLockExclusively() else { return nil }
      let status = try part.status()
      // Another instance has completed and renamed the file since it was opened.
      guard folder.inode(of: Array(partName.utf8)) == status.inode else { continue }
      guard status.isOwn, status.nameCount == 1 else {
        // A file with a second hard link must not be emptied, so it is unlinked and created again.
        folder.remove(partName)
        continue
      }
      try part.makePrivate()
      try part.truncate(to: 0)
      return part
    }
    return nil
  }
}
