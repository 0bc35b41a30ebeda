import Glibc
import Threads

/// Bytes in memory that a picture is decoded from: a file without a name, sealed, until whoever keeps it lets go of it.
///
/// Who names one holds nothing: the memory goes when its keeper needs the room, and the picture is then one whose file is
/// gone.
public final class MemoryFile: Sendable {
  private final class Memory: Sendable {
    let descriptor: OwnedDescriptor

    init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
  }

  private let memory: Lock<Memory?>
  /// The name of what is in it, for the keys of caches.
  let name: UInt64

  /// Takes sealed memory over.
  init(_ descriptor: consuming OwnedDescriptor, name: UInt64) {
    memory = Lock(Memory(descriptor))
    self.name = name
  }

  /// Lets go of the memory; a descriptor that somebody has opened stays good.
  func release() { memory.withLock { $0 = nil } }

  /// A descriptor of the bytes; nothing where they are gone or the system has none to give.
  func open() -> Int32? {
    let number = memory.withLock { memory in memory.map { DownloadFileSystem.duplicate($0.descriptor) } ?? -1 }
    return number >= 0 ? number : nil
  }
}

extension MemoryFile: Hashable {
  /// Whether both are the same bytes at the same place.
  public static func == (left: MemoryFile, right: MemoryFile) -> Bool { left === right }

  /// Hashes the place.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
