/// Where downloads are kept: in a folder, or in memory where there is none, where it fails, and what servers want on no disk.
///
/// Used by the thread of the transfers alone.
final class DownloadStore {
  private let disk: DiskDownloadStore?
  private let memory: MemoryDownloadStore
  private var diskRetryTime = 0
  /// How long a folder that failed is left alone, in seconds.
  private static let diskRetryDelay = 30

  /// Makes a store.
  init(disk: DiskDownloadStore?, memory: MemoryDownloadStore) {
    self.disk = disk
    self.memory = memory
  }

  /// The bytes of a request, if they are here.
  func find(_ request: RemoteRequest, now: Int) -> StoredDownload? {
    memory.find(request) ?? disk?.find(request, now: now)
  }

  /// Makes a place for an answer.
  ///
  /// - Parameter isSecret: whether its server wants it on no disk.
  func makeFile(isSecret: Bool, now: Int) throws(RemoteFailure) -> DownloadFile {
    if let disk, !isSecret, now >= diskRetryTime || diskRetryTime - now > DownloadStore.diskRetryDelay {
      if let file = try? disk.makeFile() { return file }
      recordDiskFailure(now)
    }
    return try memory.makeFile()
  }

  /// Notes that a place could not take what it was given.
  func recordFailure(of file: DownloadFile, now: Int) { if file.temporaryName != nil { recordDiskFailure(now) } }

  /// Takes away what nobody wants any more.
  func discard(_ file: DownloadFile) { disk?.discard(file) }

  /// Keeps an answer that is whole.
  func commit(
    _ file: DownloadFile, for request: RemoteRequest, _ validator: RemoteValidator, isPublic: Bool, now: Int
  ) throws(RemoteFailure) -> RemoteContent {
    guard let disk, file.temporaryName != nil else {
      return try memory.commit(file, for: request, validator, isPublic: isPublic, now: now)
    }
    do throws(RemoteFailure) {
      let content = try disk.commit(file, for: request, validator, isPublic: isPublic, now: now)
      memory.remove(request)
      return content
    } catch {
      disk.discard(file)
      recordDiskFailure(now)
      throw error
    }
  }

  /// Notes that the server has said that what is here still holds.
  func markValidated(_ request: RemoteRequest, now: Int) {
    memory.markValidated(request, now: now)
    disk?.markValidated(request, now: now)
  }

  private func recordDiskFailure(_ now: Int) { diskRetryTime = now + DownloadStore.diskRetryDelay }
}
