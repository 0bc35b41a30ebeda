import DataStructures

/// Keeps downloads in a folder of our own, within a bound in bytes: a file of the bytes as they came, and one of what is known
/// of them.
///
/// Both are written under another name and renamed, the bytes first, and the second says what file it was written for: at
/// any moment, for any number of instances, either both are good or there is nothing. Used by the thread of the transfers
/// alone.
final class DiskBodyStore {
  private let path: [UInt8]
  private let folder: OwnedDescriptor
  /// The bytes of each download by its name, the one that was used last first.
  private var sizes: LeastRecentlyUsed<String, Int>
  private var number: UInt64

  private static let temporaryStart = "part-"
  /// From when on what somebody else was writing is taken for left behind, in seconds.
  private static let longestWriting = 3_600
  /// How many names are tried for a file.
  private static let mostNames = 32
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
    folder = try BodyCalls.openFolder(path)
    sizes = LeastRecentlyUsed(costLimit: max(0, byteLimit))
    number = SplitMix64.mix(seed)
    var found: [(name: String, used: Int, byteCount: Int)] = []
    let names = BodyCalls.names(in: folder)
    let heads = Set(names.lazy.filter { $0.hasSuffix(BodyName.headEnding) })
    for name in names {
      let isBody = BodyName.isName(name) && !heads.contains(name + BodyName.headEnding)
      if isBody || name.hasPrefix(DiskBodyStore.temporaryStart) {
        // Somebody else's, or left behind by who was ended between the two files of a download.
        guard let status = BodyCalls.status(of: name, in: folder) else { continue }
        if status.age(now) > DiskBodyStore.longestWriting { BodyCalls.remove(name, in: folder) }
      } else if let text = BodyName.text(ofHead: name), let head = BodyCalls.status(of: name, in: folder) {
        found.append((text, head.modifiedSeconds, BodyCalls.status(of: text, in: folder)?.byteCount ?? 0))
      }
    }
    for entry in found.sorted(by: { ($0.used, $0.name) < ($1.used, $1.name) }) { note(entry.name, entry.byteCount) }
  }

  /// How many downloads are kept, as far as this instance knows.
  var count: Int { sizes.count }

  /// The bytes of a request, if they are here and are what was written.
  func find(_ request: RemoteRequest, now: Int) -> KeptBody? {
    let name = BodyName(request)
    guard let record = record(name), record.address == request.url.withoutCredentials,
      BodyCalls.status(of: name.text, in: folder) == record.status
    else { return nil }
    if let head = BodyCalls.status(of: name.head, in: folder),
      abs(head.age(now)) > DiskBodyStore.touchInterval
    {
      BodyCalls.touch(name.head, in: folder)
    }
    note(name.text, record.status.byteCount)
    return KeptBody(content: content(record, request, name), validator: record.validator, checked: record.checked)
  }

  /// Makes a file for an answer.
  ///
  /// Under a name that nobody writes to: another instance may have come to the same one.
  func begin() throws(RemoteFailure) -> BodyFile {
    var tries = 0
    while true {
      let name = temporaryName()
      do throws(RemoteFailure) {
        return BodyFile(try BodyCalls.createFile(name, in: folder), temporaryName: name)
      } catch {
        tries += 1
        guard error == BodyCalls.nameIsTaken, tries < DiskBodyStore.mostNames else { throw error }
      }
    }
  }

  /// Takes away a file that nobody wants any more.
  func discard(_ file: BodyFile) { if let name = file.temporaryName { BodyCalls.remove(name, in: folder) } }

  /// Keeps an answer that is whole.
  func keep(
    _ file: BodyFile, for request: RemoteRequest, _ validator: RemoteValidator, isPublic: Bool, now: Int
  ) throws(RemoteFailure) -> RemoteContent {
    guard let temporary = file.temporaryName, let status = BodyCalls.status(of: file.descriptor) else {
      throw .cannotKeep(0)
    }
    let name = BodyName(request)
    let record = BodyRecord(
      address: request.url.withoutCredentials, status: status, validator: validator, checked: now, isPublic: isPublic)
    try BodyCalls.rename(temporary, to: name.text, in: folder)
    do throws(RemoteFailure) {
      try write(record, name)
    } catch {
      // Bytes of which nothing is known are nobody's, and what is known of the ones before is of no use.
      sizes.remove(name.text)
      remove(name.text)
      throw error
    }
    note(name.text, file.byteCount)
    return content(record, request, name)
  }

  /// Notes that the server has said that what is here still holds.
  func confirm(_ request: RemoteRequest, now: Int) {
    let name = BodyName(request)
    guard var record = record(name) else { return }
    record.checked = now
    // Where that fails the server is asked once more next time.
    try? write(record, name)
  }

  private func record(_ name: BodyName) -> BodyRecord? {
    guard let file = try? BodyCalls.openFile(name.head, in: folder), let status = BodyCalls.status(of: file),
      status.byteCount <= BodyRecord.mostBytes,
      let bytes = try? BodyCalls.read(file.number, count: status.byteCount)
    else { return nil }
    return BodyRecord(bytes)
  }

  private func write(_ record: BodyRecord, _ name: BodyName) throws(RemoteFailure) {
    let file = try begin()
    guard let temporary = file.temporaryName else { throw .cannotKeep(0) }
    do throws(RemoteFailure) {
      try BodyCalls.write(record.bytes.span.bytes, to: file.descriptor)
      try BodyCalls.rename(temporary, to: name.head, in: folder)
    } catch {
      discard(file)
      throw error
    }
  }

  /// Notes a download as used last, and lets those go that were not used for longest.
  private func note(_ name: String, _ byteCount: Int) {
    let cost = byteCount + BodyRecord.mostBytes / 4
    var gone = sizes.insert(byteCount, for: name, cost: cost).map(\.key)
    if cost > sizes.costLimit { gone.append(name) }
    for name in gone { remove(name) }
  }

  private func remove(_ name: String) {
    BodyCalls.remove(name + BodyName.headEnding, in: folder)
    BodyCalls.remove(name, in: folder)
  }

  private func temporaryName() -> String {
    number &+= 1
    return DiskBodyStore.temporaryStart + String(SplitMix64.mix(number), radix: 36)
  }

  private func content(_ record: BodyRecord, _ request: RemoteRequest, _ name: BodyName) -> RemoteContent {
    let number = UInt64(
      bitPattern: Int64(record.status.modifiedSeconds &* 1_000_000_000 &+ record.status.modifiedNanoseconds))
    return RemoteContent(
      url: request.url, source: .file(path: path + [UInt8(ascii: "/")] + Array(name.text.utf8)),
      byteCount: record.status.byteCount,
      version: record.validator.version(byteCount: record.status.byteCount, otherwise: number),
      isFromPublicServer: record.isPublic)
  }
}
