import VitrineImagePipeline

/// A store of downloads on disk and in memory.
///
/// Downloads are stored in memory if there is no folder, if the folder fails, or if the server forbids storing on disk.
/// Confined to the transfers' thread.
final class DownloadStore {
  private let disk: DiskDownloadStore?
  private let memory: MemoryDownloadStore
  private var diskRetryTime = 0
  /// The time for which a failed folder is not used, in seconds.
  private static let diskRetryDelay = 30

  /// Creates a store.
  init(disk: DiskDownloadStore?, memory: MemoryDownloadStore) {
    self.disk = disk
    self.memory = memory
  }

  /// Returns the stored download of a request, or nil if there is none.
  func find(_ request: RemoteRequest, now: Int) -> StoredDownload? {
    memory.find(request) ?? disk?.find(request, now: now)
  }

  /// Creates a file for a response.
  ///
  /// - Parameter forbidsDiskStorage: Whether the server forbids storing on disk.
  func makeFile(forbidsDiskStorage: Bool, now: Int) throws(RemoteFailure) -> DownloadFile {
    if let disk, !forbidsDiskStorage, now >= diskRetryTime || diskRetryTime - now > DownloadStore.diskRetryDelay {
      if let file = try? disk.makeFile() { return file }
      recordDiskFailure(now)
    }
    return try memory.makeFile()
  }

  /// Records that a file could not be written.
  func recordFailure(of file: DownloadFile, now: Int) { if file.temporaryName != nil { recordDiskFailure(now) } }

  /// Deletes an unfinished file.
  func discard(_ file: DownloadFile) { disk?.discard(file) }

  /// Stores a complete response.
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

  /// Records that the server has confirmed the stored download.
  func markValidated(_ request: RemoteRequest, now: Int) {
    memory.markValidated(request, now: now)
    disk?.markValidated(request, now: now)
  }

  private func recordDiskFailure(_ now: Int) { diskRetryTime = now + DownloadStore.diskRetryDelay }
}

/// A stored download.
struct StoredDownload: Sendable {
  /// The content.
  let content: RemoteContent
  /// The server's validator of the content.
  let validator: RemoteValidator
  /// The time of the last validation, in seconds since 1970.
  let lastValidated: Int

  /// Returns whether the content can be used without revalidation.
  ///
  /// False if the clock was set back since the last validation.
  /// - Parameter seconds: The maximum age.
  func isFresh(now: Int, maximumAge seconds: Int) -> Bool { lastValidated <= now && now - lastValidated < seconds }
}

/// The file of a response that is being received.
final class DownloadFile {
  /// The descriptor, open for writing.
  let descriptor: OwnedDescriptor
  /// The temporary name, or nil for memory.
  let temporaryName: String?
  /// The number of bytes written.
  private(set) var byteCount = 0

  /// Creates a file from a descriptor that is open for writing.
  init(_ descriptor: consuming OwnedDescriptor, temporaryName: String?) {
    self.descriptor = descriptor
    self.temporaryName = temporaryName
  }

  /// Appends bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RemoteFailure) {
    try DownloadFileSystem.write(bytes, to: descriptor)
    byteCount += bytes.count
  }
}
