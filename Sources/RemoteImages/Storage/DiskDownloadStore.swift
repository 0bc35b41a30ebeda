import VitrineDataStructures
import VitrineImagePipeline

/// A cache of downloads in a folder, limited in bytes.
///
/// A download is a file with the received bytes and a record file. Both are written under temporary names and renamed,
/// the bytes first, and the record identifies the file that it was written for. So at any time, for any number of
/// instances, a download is either complete or absent. Confined to the transfers' thread.
final class DiskDownloadStore {
  private let path: [UInt8]
  private let folder: OwnedDescriptor
  /// The sizes of the downloads by name, in order of their last use.
  private var sizes: LRUCache<String, Int>
  private var number: UInt64

  private static let temporaryPrefix = "part-"
  /// The age after which an unfinished file of another instance is considered abandoned, in seconds.
  private static let maximumWritingSeconds = 3_600
  /// The maximum number of names that are tried for a temporary file.
  private static let maximumNames = 32
  /// The minimum interval between updates of a download's time of use, in seconds.
  private static let touchInterval = 3_600

  /// Opens or creates a folder.
  ///
  /// - Parameters:
  ///   - path: The folder's path. Its parent is created too, but no other ancestor.
  ///   - byteLimit: The maximum size of all downloads.
  ///   - seed: The seed of temporary names, which makes those of different instances distinct.
  ///   - now: Seconds since 1970.
  init(path: [UInt8], byteLimit: Int, seed: UInt64, now: Int) throws(RemoteFailure) {
    self.path = path
    folder = try DownloadFileSystem.openFolder(path)
    sizes = LRUCache(costLimit: max(0, byteLimit))
    number = SplitMix64.mix(seed)
    var found: [(name: String, lastUse: Int, byteCount: Int)] = []
    let names = DownloadFileSystem.names(in: folder)
    let records = Set(names.lazy.filter { $0.hasSuffix(DownloadName.recordSuffix) })
    for name in names {
      let isBody = DownloadName.isName(name) && !records.contains(name + DownloadName.recordSuffix)
      if isBody || name.hasPrefix(DiskDownloadStore.temporaryPrefix) {
        // An unfinished file of another instance, or of a process that ended between writing the two files.
        guard let status = DownloadFileSystem.status(of: name, in: folder) else { continue }
        if status.age(now) > DiskDownloadStore.maximumWritingSeconds { DownloadFileSystem.remove(name, in: folder) }
      } else if let text = DownloadName.name(ofRecordFile: name),
        let recordStatus = DownloadFileSystem.status(of: name, in: folder)
      {
        found.append(
          (text, recordStatus.modifiedSeconds, DownloadFileSystem.status(of: text, in: folder)?.byteCount ?? 0))
      }
    }
    for entry in found.sorted(by: { ($0.lastUse, $0.name) < ($1.lastUse, $1.name) }) {
      recordUse(entry.name, entry.byteCount)
    }
  }

  /// The number of stored downloads that this instance knows of.
  var count: Int { sizes.count }

  /// Returns the download of a request, or nil if there is none or its file has changed.
  func find(_ request: RemoteRequest, now: Int) -> StoredDownload? {
    let name = DownloadName(request)
    guard let record = readRecord(name), record.address == request.url.withoutCredentials,
      DownloadFileSystem.status(of: name.text, in: folder) == record.status
    else { return nil }
    if let recordStatus = DownloadFileSystem.status(of: name.recordName, in: folder),
      abs(recordStatus.age(now)) > DiskDownloadStore.touchInterval
    {
      DownloadFileSystem.touch(name.recordName, in: folder)
    }
    recordUse(name.text, record.status.byteCount)
    return StoredDownload(
      content: content(record, request, name), validator: record.validator, lastValidated: record.lastValidated)
  }

  /// Creates a temporary file for a response.
  ///
  /// Tries several names, because another instance may use the same one.
  func makeFile() throws(RemoteFailure) -> DownloadFile {
    var attempts = 0
    while true {
      let name = makeTemporaryName()
      do throws(RemoteFailure) {
        return DownloadFile(try DownloadFileSystem.createFile(name, in: folder), temporaryName: name)
      } catch {
        attempts += 1
        guard error == DownloadFileSystem.nameExistsError, attempts < DiskDownloadStore.maximumNames else {
          throw error
        }
      }
    }
  }

  /// Deletes an unfinished file.
  func discard(_ file: DownloadFile) {
    if let name = file.temporaryName { DownloadFileSystem.remove(name, in: folder) }
  }

  /// Stores a complete response.
  func commit(
    _ file: DownloadFile, for request: RemoteRequest, _ validator: RemoteValidator, isPublic: Bool, now: Int
  ) throws(RemoteFailure) -> RemoteContent {
    guard let temporary = file.temporaryName, let status = DownloadFileSystem.status(of: file.descriptor) else {
      throw .cannotStore(0)
    }
    let name = DownloadName(request)
    let record = DownloadRecord(
      address: request.url.withoutCredentials, status: status, validator: validator, lastValidated: now,
      isPublic: isPublic)
    try DownloadFileSystem.rename(temporary, to: name.text, in: folder)
    do throws(RemoteFailure) {
      try writeRecord(record, name)
    } catch {
      // The new bytes have no record, and the old record does not match them.
      sizes.remove(name.text)
      removeFiles(name.text)
      throw error
    }
    recordUse(name.text, file.byteCount)
    return content(record, request, name)
  }

  /// Records that the server has confirmed the stored download.
  func markValidated(_ request: RemoteRequest, now: Int) {
    let name = DownloadName(request)
    guard var record = readRecord(name) else { return }
    record.lastValidated = now
    // If this fails, the download is revalidated again on its next use.
    try? writeRecord(record, name)
  }

  private func readRecord(_ name: DownloadName) -> DownloadRecord? {
    guard let file = try? DownloadFileSystem.openFile(name.recordName, in: folder),
      let status = DownloadFileSystem.status(of: file),
      status.byteCount <= DownloadRecord.maximumBytes,
      let bytes = try? DownloadFileSystem.read(file.number, count: status.byteCount)
    else { return nil }
    return DownloadRecord(bytes)
  }

  private func writeRecord(_ record: DownloadRecord, _ name: DownloadName) throws(RemoteFailure) {
    let file = try makeFile()
    guard let temporary = file.temporaryName else { throw .cannotStore(0) }
    do throws(RemoteFailure) {
      try DownloadFileSystem.write(record.bytes.span.bytes, to: file.descriptor)
      try DownloadFileSystem.rename(temporary, to: name.recordName, in: folder)
    } catch {
      discard(file)
      throw error
    }
  }

  /// Moves a download to the front of the LRU order, and evicts the least recently used ones that exceed the limit.
  private func recordUse(_ name: String, _ byteCount: Int) {
    let cost = byteCount + DownloadRecord.maximumBytes / 4
    var evicted = sizes.insert(byteCount, for: name, cost: cost).map(\.key)
    if cost > sizes.costLimit { evicted.append(name) }
    for name in evicted { removeFiles(name) }
  }

  private func removeFiles(_ name: String) {
    DownloadFileSystem.remove(name + DownloadName.recordSuffix, in: folder)
    DownloadFileSystem.remove(name, in: folder)
  }

  private func makeTemporaryName() -> String {
    number &+= 1
    return DiskDownloadStore.temporaryPrefix + String(SplitMix64.mix(number), radix: 36)
  }

  private func content(_ record: DownloadRecord, _ request: RemoteRequest, _ name: DownloadName) -> RemoteContent {
    let number = UInt64(
      bitPattern: Int64(record.status.modifiedSeconds &* 1_000_000_000 &+ record.status.modifiedNanoseconds))
    return RemoteContent(
      url: request.url, source: .file(path: path + [UInt8(ascii: "/")] + Array(name.text.utf8)),
      byteCount: record.status.byteCount,
      version: record.validator.version(byteCount: record.status.byteCount, fallback: number),
      isFromPublicServer: record.isPublic)
  }
}
