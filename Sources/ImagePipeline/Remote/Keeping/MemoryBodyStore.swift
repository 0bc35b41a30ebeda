import DataStructures
import Rendering

/// Keeps downloads in memory, within a bound in bytes: for those who want nothing on their disk.
///
/// Used by the thread of the transfers alone.
final class MemoryDownloadStore {
  private struct Entry {
    let file: MemoryFile
    let byteCount: Int
    let version: UInt64
    let validator: RemoteValidator
    var lastValidated: Int
    let isPublic: Bool
  }

  private var entries: LRUCache<RemoteRequest, Entry>
  /// What each costs at least: there are only so many descriptors.
  private static let minimumCost = 1 << 20
  private var versions: UInt64 = 0

  /// Makes an empty store.
  init(byteLimit: Int) { entries = LRUCache(costLimit: max(0, byteLimit)) }

  /// How many downloads are kept.
  var count: Int { entries.count }

  /// The bytes of a request, if they are here.
  func find(_ request: RemoteRequest) -> StoredDownload? {
    entries.value(for: request).map {
      StoredDownload(content: content($0, request), validator: $0.validator, lastValidated: $0.lastValidated)
    }
  }

  /// Takes memory for an answer.
  func makeFile() throws(RemoteFailure) -> DownloadFile {
    DownloadFile(try DownloadFileSystem.createMemory(), temporaryName: nil)
  }

  /// Keeps an answer that is whole.
  func commit(
    _ file: DownloadFile, for request: RemoteRequest, _ validator: RemoteValidator, isPublic: Bool, now: Int
  ) throws(RemoteFailure) -> RemoteContent {
    try DownloadFileSystem.seal(file.descriptor)
    let copy = DownloadFileSystem.duplicate(file.descriptor)
    guard copy >= 0 else { throw .cannotStore(0) }
    versions += 1
    let version = validator.version(byteCount: file.byteCount, otherwise: versions)
    let entry = Entry(
      file: MemoryFile(OwnedDescriptor(adopting: copy), name: DownloadName(request).word), byteCount: file.byteCount,
      version: version, validator: validator, lastValidated: now, isPublic: isPublic)
    remove(request)
    for (_, entry) in entries.insert(entry, for: request, cost: max(file.byteCount, MemoryDownloadStore.minimumCost)) {
      entry.file.release()
    }
    return content(entry, request)
  }

  /// Notes that the server has said that what is here still holds.
  func markValidated(_ request: RemoteRequest, now: Int) {
    guard var entry = entries.value(for: request) else { return }
    entry.lastValidated = now
    entries.insert(entry, for: request, cost: max(entry.byteCount, MemoryDownloadStore.minimumCost))
  }

  /// Lets go of a request's bytes.
  func remove(_ request: RemoteRequest) { entries.remove(request)?.file.release() }

  private func content(_ entry: Entry, _ request: RemoteRequest) -> RemoteContent {
    RemoteContent(
      url: request.url, source: .memory(entry.file), byteCount: entry.byteCount, version: entry.version,
      isFromPublicServer: entry.isPublic)
  }
}

extension RemoteValidator {
  /// A number for the keys of caches: the server's name for the state, else another one for each download.
  func version(byteCount: Int, otherwise number: UInt64) -> UInt64 {
    var digest = ContentDigest()
    digest.combine(UInt64(byteCount))
    if var text = eTag ?? lastModified {
      text.withUTF8 { digest.combine(bytes: UnsafeRawBufferPointer($0)) }
    } else {
      digest.combine(number)
    }
    return digest.value
  }
}
