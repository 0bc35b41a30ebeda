import Glibc
import VitrineThreads

/// An anonymous, sealed file in memory, from which an image is decoded.
///
/// A reference does not retain the memory. When the store evicts it, opening it fails like opening a deleted file.
public final class MemoryFile: Sendable {
  private final class Memory: Sendable {
    let descriptor: OwnedDescriptor

    init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
  }

  private let memory: Lock<Memory?>
  /// The name of the content in cache keys.
  package let name: UInt64

  /// Creates a file from sealed memory.
  package init(_ descriptor: consuming OwnedDescriptor, name: UInt64) {
    memory = Lock(Memory(descriptor))
    self.name = name
  }

  /// Releases the memory.
  ///
  /// Descriptors that are already open stay valid.
  package func release() { memory.withLock { $0 = nil } }

  /// Opens a descriptor, or returns nil if the memory was released or no descriptor is available.
  ///
  /// The C function is `fcntl` with `F_DUPFD_CLOEXEC`.
  package func open() -> Int32? {
    let number = memory.withLock { memory in memory.map { fcntl($0.descriptor.number, F_DUPFD_CLOEXEC, 0) } ?? -1 }
    return number >= 0 ? number : nil
  }
}

extension MemoryFile: Hashable {
  /// Returns whether both are the same object.
  public static func == (left: MemoryFile, right: MemoryFile) -> Bool { left === right }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
