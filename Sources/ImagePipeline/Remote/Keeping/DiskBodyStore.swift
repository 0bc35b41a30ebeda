import DataStructures

/// Keeps downloads in a folder of our own, within a bound in bytes: a file of the bytes as they came, and one of what is known
/// of them.
///
/// Both are written under another name and renamed, the bytes first, and the second says what file it was written for: at
/// any moment, for any number of instances, either both are good or there is nothing. Used by the thread of the transfers
/// alone.
final class DiskDownloadStore {
  private let path: [UInt8]
  private let folder: OwnedDescriptor
  /// The bytes of each download by its name, the one that was used last first.
  private var sizes: LRUCache<String, Int>
  private var number: UInt64

  private static let temporaryStart = "part-"
  /// From when on what somebody else was writing is taken for left behind, in seconds.
  private static let maximumWritingSeconds = 3_600
  /// How many names are tried for a file.
  private static let maximumNames = 32
  /// How often it is noted that a download is in use, in seconds.
  private static let touchInterval = 3_600

  /// Opens a folder, which it makes.
  ///
  /// - Parameters:
  ///   - path: the folder's path; the one around it is made too, and no other.
  ///   - byteLimit: what the downloads may take.
  ///   - seed: makes the names of this instance's files its own.
  init(path: [UInt8], byteLimit: Int, seed: UInt64, now: Int) throws(RemoteFailure) {
    self.path = path
    folder = try DownloadFileSystem.openFolder(path)
    sizes = LRUCache(costLimit: max(0, byteLimit))
    number = SplitMix64.mix(seed)
    var found: [(name: String, used: Int, byteCount: Int)] = []
    let names = DownloadFileSystem.names(in: folder)
    let heads = Set(names.lazy.filter { $0.hasSuffix(DownloadName.recordSuffix) })
    for name in names {
      let isBody = DownloadName.isName(name) && !heads.contains(name + DownloadName.recordSuffix)
      if isBody || name.hasPrefix(DiskDownloadStore.temporaryStart) {
        // Somebody else's, or left behind by who was ended between the two files of a download.
        guard let status = DownloadFileSystem.status(of: name, in: folder) else { continue }
        if status.age(now) > DiskDownloadStore.maximumWritingSeconds { DownloadFileSystem.remove(name, in: folder) }
      } else if let text = DownloadName.name(ofRecordFile: name),
        let head = DownloadFileSystem.status(of: name, in: folder)
      {
        found.append((text, head.modifiedSeconds, DownloadFileSystem.status(of: text, in: folder)?.byteCount ?? 0))
      }
    }
    for entry in found.sorted(by: { ($0.used, $0.name) < ($1.used, $1.name) }) {
      recordUse(entry.name, entry.byteCount)
    }
  }

  /// How many downloads are kept, as far as this instance knows.
  var count: Int { sizes.count }

  /// The bytes of a request, if they are here and are what was written.
  func find(_ request: RemoteRequest, now: Int) -> StoredDownload? {
    let name = DownloadName(request)
    guard let record = readRecord(name), record.address == request.url.withoutCredentials,
      DownloadFileSystem.status(of: name.text, in: folder) == record.status
    else { return nil }
    if let head = DownloadFileSystem.status(of: name.recordName, in: folder),
      abs(head.age(now)) > DiskDownloadStore.touchInterval
    {
      DownloadFileSystem.touch(name.recordName, in: folder)
    }
    recordUse(name.text, record.status.byteCount)
    return StoredDownload(
      content: content(record, request, name), validator: record.validator, lastValidated: record.lastValidated)
  }

  /// Makes a file for an answer.
  ///
  /// Under a name that nobody writes to: another instance may have come to the same one.
  func makeFile() throws(RemoteFailure) -> DownloadFile {
    var tries = 0
    while true {
      let name = makeTemporaryName()
      do throws(RemoteFailure) {
        return DownloadFile(try DownloadFileSystem.createFile(name, in: folder), temporaryName: name)
      } catch {
        tries += 1
        guard error == DownloadFileSystem.nameIsTaken, tries < DiskDownloadStore.maximumNames else { throw error }
      }
    }
  }

  /// Takes away a file that nobody wants any more.
  func discard(_ file: DownloadFile) {
    if let name = file.temporaryName { DownloadFileSystem.remove(name, in: folder) }
  }

  /// Keeps an answer that is whole.
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
      // Bytes of which nothing is known are nobody's, and what is known of the ones before is of no use.
      sizes.remove(name.text)
      removeFiles(name.text)
      throw error
    }
    recordUse(name.text, file.byteCount)
    return content(record, request, name)
  }

  /// Notes that the server has said that what is here still holds.
  func markValidated(_ request: RemoteRequest, now: Int) {
    let name = DownloadName(request)
    guard var record = readRecord(name) else { return }
    record.lastValidated = now
    // Where that fails the server is asked once more next time.
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

  /// Notes a download as used last, and lets those go that were not used for longest.
  private func recordUse(_ name: String, _ byteCount: Int) {
    let cost = byteCount + DownloadRecord.maximumBytes / 4
    var gone = sizes.insert(byteCount, for: name, cost: cost).map(\.key)
    if cost > sizes.costLimit { gone.append(name) }
    for name in gone { removeFiles(name) }
  }

  private func removeFiles(_ name: String) {
    DownloadFileSystem.remove(name + DownloadName.recordSuffix, in: folder)
    DownloadFileSystem.remove(name, in: folder)
  }

  private func makeTemporaryName() -> String {
    number &+= 1
    return DiskDownloadStore.temporaryStart + String(SplitMix64.mix(number), radix: 36)
  }

  private func content(_ record: DownloadRecord, _ request: RemoteRequest, _ name: DownloadName) -> RemoteContent {
    let number = UInt64(
      bitPattern: Int64(record.status.modifiedSeconds &* 1_000_000_000 &+ record.status.modifiedNanoseconds))
    return RemoteContent(
      url: request.url, source: .file(path: path + [UInt8(ascii: "/")] + Array(name.text.utf8)),
      byteCount: record.status.byteCount,
      version: record.validator.version(byteCount: record.status.byteCount, otherwise: number),
      isFromPublicServer: record.isPublic)
  }
}
