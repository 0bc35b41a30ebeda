/// Where downloads are kept: in a folder, or in memory where there is none, where it fails, and what servers want on no disk.
///
/// Used by the thread of the transfers alone.
final class BodyStore {
  private let disk: DiskBodyStore?
  private let memory: MemoryBodyStore
  private var diskRests = 0
  /// How long a folder that failed is left alone, in seconds.
  private static let rest = 30

  /// Makes a store.
  init(disk: DiskBodyStore?, memory: MemoryBodyStore) {
    self.disk = disk
    self.memory = memory
  }

  /// The bytes of a request, if they are here.
  func find(_ request: RemoteRequest, now: Int) -> KeptBody? { memory.find(request) ?? disk?.find(request, now: now) }

  /// Makes a place for an answer.
  ///
  /// - Parameter isSecret: whether its server wants it on no disk.
  func begin(isSecret: Bool, now: Int) throws(RemoteFailure) -> BodyFile {
    if let disk, !isSecret, now >= diskRests || diskRests - now > BodyStore.rest {
      if let file = try? disk.begin() { return file }
      noteDiskFailure(now)
    }
    return try memory.begin()
  }

  /// Notes that a place could not take what it was given.
  func noteFailure(of file: BodyFile, now: Int) { if file.temporaryName != nil { noteDiskFailure(now) } }

  /// Takes away what nobody wants any more.
  func discard(_ file: BodyFile) { disk?.discard(file) }

  /// Keeps an answer that is whole.
  func keep(
    _ file: BodyFile, for request: RemoteRequest, _ validator: RemoteValidator, isPublic: Bool, now: Int
  ) throws(RemoteFailure) -> RemoteContent {
    guard let disk, file.temporaryName != nil else {
      return try memory.keep(file, for: request, validator, isPublic: isPublic, now: now)
    }
    do throws(RemoteFailure) {
      let content = try disk.keep(file, for: request, validator, isPublic: isPublic, now: now)
      memory.forget(request)
      return content
    } catch {
      disk.discard(file)
      noteDiskFailure(now)
      throw error
    }
  }

  /// Notes that the server has said that what is here still holds.
  func confirm(_ request: RemoteRequest, now: Int) {
    memory.confirm(request, now: now)
    disk?.confirm(request, now: now)
  }

  private func noteDiskFailure(_ now: Int) { diskRests = now + BodyStore.rest }
}
