import VitrineDataStructures
import VitrineImagePipeline

/// A cache of downloads in memory, limited in bytes.
///
/// Confined to the transfers' thread.
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
  /// The minimum cost of an entry, in bytes, which limits the number of descriptors.
  private static let minimumCost = 1 << 20
  private var versions: UInt64 = 0

  /// Creates an empty store.
  init(byteLimit: Int) { entries = LRUCache(costLimit: max(0, byteLimit)) }

  /// The number of stored downloads.
  var count: Int { entries.count }

  /// Returns the stored download of a request, or nil if there is none.
  func find(_ request: RemoteRequest) -> StoredDownload? {
    entries.value(for: request).map {
      StoredDownload(content: content($0, request), validator: $0.validator, lastValidated: $0.lastValidated)
    }
  }

  /// Creates a memory file for a response.
  func makeFile() throws(RemoteFailure) -> DownloadFile {
    DownloadFile(try DownloadFileSystem.createMemory(), temporaryName: nil)
  }

  /// Stores a complete response.
  func commit(
    _ file: DownloadFile, for request: RemoteRequest, _ validator: RemoteValidator, isPublic: Bool, now: Int
  ) throws(RemoteFailure) -> RemoteContent {
    try DownloadFileSystem.seal(file.descriptor)
    let copy = DownloadFileSystem.duplicate(file.descriptor)
    guard copy >= 0 else { throw .cannotStore(0) }
    versions += 1
    let version = validator.version(byteCount: file.byteCount, fallback: versions)
    let entry = Entry(
      file: MemoryFile(OwnedDescriptor(adopting: copy), name: DownloadName(request).digest), byteCount: file.byteCount,
      version: version, validator: validator, lastValidated: now, isPublic: isPublic)
    remove(request)
    for (_, entry) in entries.insert(entry, for: request, cost: max(file.byteCount, MemoryDownloadStore.minimumCost)) {
      entry.file.release()
    }
    return content(entry, request)
  }

  /// Records that the server has confirmed the stored download.
  func markValidated(_ request: RemoteRequest, now: Int) {
    guard var entry = entries.value(for: request) else { return }
    entry.lastValidated = now
    entries.insert(entry, for: request, cost: max(entry.byteCount, MemoryDownloadStore.minimumCost))
  }

  /// Evicts the download of a request.
  func remove(_ request: RemoteRequest) { entries.remove(request)?.file.release() }

  private func content(_ entry: Entry, _ request: RemoteRequest) -> RemoteContent {
    RemoteContent(
      url: request.url, source: .memory(entry.file), byteCount: entry.byteCount, version: entry.version,
      isFromPublicServer: entry.isPublic)
  }
}
