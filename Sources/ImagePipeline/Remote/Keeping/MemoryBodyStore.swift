import DataStructures
import Rendering

/// Keeps downloads in memory, within a bound in bytes: for those who want nothing on their disk.
///
/// Used by the thread of the transfers alone.
final class MemoryBodyStore {
  private struct Entry {
    let file: HeldFile
    let byteCount: Int
    let version: UInt64
    let validator: RemoteValidator
    var checked: Int
    let isPublic: Bool
  }

  private var entries: LeastRecentlyUsed<RemoteRequest, Entry>
  /// What each costs at least: there are only so many descriptors.
  private static let leastCost = 1 << 20
  private var versions: UInt64 = 0

  /// Makes an empty store.
  init(byteLimit: Int) { entries = LeastRecentlyUsed(costLimit: max(0, byteLimit)) }

  /// How many downloads are kept.
  var count: Int { entries.count }

  /// The bytes of a request, if they are here.
  func find(_ request: RemoteRequest) -> KeptBody? {
    entries.value(for: request).map {
      KeptBody(content: content($0, request), validator: $0.validator, checked: $0.checked)
    }
  }

  /// Takes memory for an answer.
  func begin() throws(RemoteFailure) -> BodyFile { BodyFile(try BodyCalls.createMemory(), temporaryName: nil) }

  /// Keeps an answer that is whole.
  func keep(
    _ file: BodyFile, for request: RemoteRequest, _ validator: RemoteValidator, isPublic: Bool, now: Int
  ) throws(RemoteFailure) -> RemoteContent {
    try BodyCalls.seal(file.descriptor)
    let copy = BodyCalls.duplicate(file.descriptor)
    guard copy >= 0 else { throw .cannotKeep(0) }
    versions += 1
    let version = validator.version(byteCount: file.byteCount, otherwise: versions)
    let entry = Entry(
      file: HeldFile(OwnedDescriptor(adopting: copy), name: BodyName(request).word), byteCount: file.byteCount,
      version: version, validator: validator, checked: now, isPublic: isPublic)
    forget(request)
    for (_, entry) in entries.insert(entry, for: request, cost: max(file.byteCount, MemoryBodyStore.leastCost)) {
      entry.file.release()
    }
    return content(entry, request)
  }

  /// Notes that the server has said that what is here still holds.
  func confirm(_ request: RemoteRequest, now: Int) {
    guard var entry = entries.value(for: request) else { return }
    entry.checked = now
    entries.insert(entry, for: request, cost: max(entry.byteCount, MemoryBodyStore.leastCost))
  }

  /// Lets go of a request's bytes.
  func forget(_ request: RemoteRequest) { entries.remove(request)?.file.release() }

  private func content(_ entry: Entry, _ request: RemoteRequest) -> RemoteContent {
    RemoteContent(
      url: request.url, source: .held(entry.file), byteCount: entry.byteCount, version: entry.version,
      isFromPublicServer: entry.isPublic)
  }
}

extension RemoteValidator {
  /// A number for the keys of caches: the server's name for the state, else another one for each download.
  func version(byteCount: Int, otherwise number: UInt64) -> UInt64 {
    var digest = ContentDigest()
    digest.combine(UInt64(byteCount))
    if var text = tag ?? date {
      text.withUTF8 { digest.combine(bytes: UnsafeRawBufferPointer($0)) }
    } else {
      digest.combine(number)
    }
    return digest.value
  }
}
