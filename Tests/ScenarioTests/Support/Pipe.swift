import Glibc

/// What a child process writes to one of its descriptors.
struct Pipe {
  /// All that was read so far.
  private(set) var bytes: [UInt8] = []
  /// The end for the child, until it is closed here.
  private(set) var writeEnd: Int32
  private let reading: ReadEnd
  /// Whether more may come.
  private(set) var isOpen = true

  /// Closed with its owner.
  private final class ReadEnd {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  /// Makes a pair of connected ends that no other child inherits; the C function is `socketpair`.
  ///
  /// Sockets, as `pipe` cannot say at once that nobody inherits them.
  init() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw ChildProcess.StartError(word: "socketpair", code: errno)
    }
    reading = ReadEnd(ends[0])
    writeEnd = ends[1]
  }

  /// Leaves the writing end to the child alone.
  mutating func closeWriteEnd() {
    close(writeEnd)
    writeEnd = -1
  }

  /// What `poll` is to watch.
  var watched: pollfd { pollfd(fd: isOpen ? reading.descriptor : -1, events: Int16(POLLIN), revents: 0) }

  /// Takes what is there, or learns that no more will come.
  mutating func read() {
    var portion = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(reading.descriptor, &portion, portion.count)
    if count > 0 { bytes += portion[..<count] } else if count == 0 || errno != EINTR { isOpen = false }
  }
}
