import Glibc
import VitrineImageMetadata

/// What the stored catalogue knows about the photographs of a scan, and what the scan finds out for it.
///
/// It follows the scan folder by folder: the record of a folder is read when its first photograph comes, and stored
/// when the next folder begins, if it changed. Errors of the catalogue are ignored, because everything in it can be read
/// again.
struct KnownHeaders {
  /// The maximum number of changed folders and photographs that are stored together.
  private static let (maximumFolders, maximumPhotos) = (64, 10_000)
  /// The age in nanoseconds below which a file may change again without another modification date.
  private static let freshAge: UInt64 = 2_000_000_000

  private let catalogue: CatalogueStore
  private let roots: [LibraryRoot]
  /// The current folder as the scan named it, its record as it was stored, and its entries as they are now.
  private var folder: (path: PhotoPath, stored: FolderRecord?, entries: [FolderRecord.Entry])?
  /// The position in the stored record at which the next photograph is expected.
  private var expected = 0
  private var storedIndices: [[UInt8]: Int] = [:]
  private var unwritten: [FolderRecord] = []
  private var unwrittenPhotos = 0
  private var seenFolders: Set<PhotoPath> = []
  /// The folders of which only single pictures are shown, so that nothing is known about the others.
  private let partialFolders: Set<PhotoPath>

  /// Creates the knowledge about the photographs in some roots.
  init(_ catalogue: CatalogueStore, roots: [LibraryRoot]) {
    self.catalogue = catalogue
    self.roots = roots
    partialFolders = Set(roots.lazy.filter { $0.kind == .picture }.map(\.path.parent.absolute))
  }

  /// Returns the known result for a photograph whose file has not changed, or nil if the file must be read.
  mutating func result(for photo: FoundPhoto) -> HeaderResult? {
    enterFolder(photo.folder)
    guard photo.failure == nil, photo.shownPath == nil, photo.identity != .unknown,
      let entry = storedEntry(named: photo.name),
      entry.identity == photo.identity
    else { return nil }
    let result: HeaderResult
    if let header = entry.header {
      result = HeaderResult(ordinal: photo.ordinal, identity: photo.identity, header: header)
    } else if entry.failure == .notAPicture || entry.failure == .emptyFile, let failure = entry.failure {
      result = HeaderResult(ordinal: photo.ordinal, identity: photo.identity, failure: failure)
    } else {
      return nil
    }
    folder?.entries.append(entry)
    return result
  }

  /// Returns whether a photograph of the current folder has a known result, which is not counted as taken.
  mutating func knows(_ photo: FoundPhoto) -> Bool {
    let (expected, entries) = (expected, folder?.entries.count ?? 0)
    let isKnown = result(for: photo) != nil
    self.expected = expected
    folder?.entries.removeSubrange(entries...)
    return isKnown
  }

  /// Records the result of reading a photograph's file.
  mutating func record(_ result: HeaderResult, for photo: FoundPhoto) {
    enterFolder(photo.folder)
    // A link to a photograph of the library is not one of its own.
    guard photo.shownPath == nil else { return }
    var entry = FolderRecord.Entry(
      name: photo.name, identity: result.identity ?? photo.identity, header: result.header, failure: result.failure)
    // The file may have been changed after it was read, with the same modification date: it is read again next time.
    if KnownHeaders.isFresh(entry.identity) { entry.identity = .unknown }
    folder?.entries.append(entry)
  }

  /// Stores what was found out, after a scan that was not cancelled.
  ///
  /// - Parameters:
  ///   - isComplete: Whether all folders were listed, so that the others do not exist any more.
  ///   - offline: The folders that could not be read, about which everything known is kept.
  mutating func finish(isComplete: Bool, offline: [PhotoPath]) {
    leaveFolder()
    write()
    guard isComplete else { return }
    let offline = offline.map(\.absolute)
    for root in roots where root.kind == .folder {
      guard let path = root.path.stored else { continue }
      let seen = seenFolders
      try? catalogue.removeFolders(within: path) { folder in
        seen.contains(folder) || offline.contains { folder.isWithin($0) }
      }
    }
  }

  private func isPartial(_ path: PhotoPath) -> Bool {
    !partialFolders.isEmpty && partialFolders.contains(path.absolute)
  }

  private mutating func enterFolder(_ path: PhotoPath) {
    if folder?.path == path { return }
    leaveFolder()
    folder = (path, path.stored.flatMap(catalogue.record), [])
    expected = 0
    storedIndices = [:]
  }

  private mutating func leaveFolder() {
    guard let (path, stored, entries) = folder else { return }
    folder = nil
    guard let absolute = path.stored, !isPartial(path) else { return }
    seenFolders.insert(absolute)
    guard stored?.entries != entries else { return }
    unwritten.append(
      FolderRecord(folder: absolute, entries: entries, fileSystem: SystemCalls.fileSystem(ofFolder: path) ?? 0))
    unwrittenPhotos += entries.count
    if unwritten.count >= KnownHeaders.maximumFolders || unwrittenPhotos >= KnownHeaders.maximumPhotos { write() }
  }

  private mutating func write() {
    try? catalogue.store(unwritten)
    unwritten = []
    unwrittenPhotos = 0
  }

  /// Returns the stored entry of a name, which is usually the one after the last.
  private mutating func storedEntry(named name: [UInt8]) -> FolderRecord.Entry? {
    guard let entries = folder?.stored?.entries, !entries.isEmpty else { return nil }
    if expected < entries.count, entries[expected].name == name {
      defer { expected += 1 }
      return entries[expected]
    }
    if storedIndices.isEmpty {
      for (index, entry) in entries.enumerated() { storedIndices[entry.name] = index }
    }
    guard let index = storedIndices[name] else { return nil }
    expected = index + 1
    return entries[index]
  }

  /// Returns whether a file was modified so recently that it may change without another modification date.
  private static func isFresh(_ identity: FileIdentity) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return isFresh(identity, nowSeconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec))
  }

  /// Returns whether a file was modified so recently before or after a time since 1970, which may have any value.
  static func isFresh(_ identity: FileIdentity, nowSeconds: Int64, nanoseconds: Int64) -> Bool {
    // The time is clamped in the same way as the modification date.
    let now = FileIdentity(
      device: 0, inode: 0, byteCount: 0, modificationSeconds: nowSeconds, nanoseconds: nanoseconds)
    let (age, overflows) = now.modificationNanoseconds.subtractingReportingOverflow(identity.modificationNanoseconds)
    return !overflows && age.magnitude < freshAge
  }
}
