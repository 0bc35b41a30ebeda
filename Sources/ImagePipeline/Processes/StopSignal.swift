import CPlatform
import Glibc

/// A signal that every thread waiting for a decoding process sees at once, and that stays raised.
final class StopSignal: Sendable {
  private let descriptor: OwnedDescriptor

  /// Makes a signal that is not raised.
  ///
  /// The C function is `eventfd`.
  init() throws(DecodingProcessError) {
    let number = platform_eventfd()
    guard number >= 0 else { throw .system(call: "eventfd", error: errno) }
    descriptor = OwnedDescriptor(adopting: number)
  }

  /// What `poll` finds readable once the signal is raised.
  var number: Int32 { descriptor.number }

  /// Whether it was raised.
  ///
  /// The C function is `poll`.
  var isRaised: Bool {
    var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  /// Raises the signal; again is no error.
  ///
  /// The C function is `write`.
  func raise() {
    var one: UInt64 = 1
    write(number, &one, MemoryLayout<UInt64>.size)
  }
}
