import CVitrinePlatform
import Glibc
package import VitrineDecodingProtocol

/// The program's end of the socket to a process that reads untrusted files, which transfers one record per packet.
package struct RecordSocket: ~Copyable {
  private let descriptor: OwnedDescriptor

  /// The result of a receive.
  enum Received {
    /// A whole record and nothing else.
    case record(WireWords)
    /// A packet of another length, or with descriptors, which no reply has.
    case malformed
    /// The other end is closed.
    case closed
  }

  /// Creates a connected pair of sockets.
  ///
  /// The C function is `socketpair` with SOCK_SEQPACKET.
  package static func makePair() throws(DecodingProcessError) -> SocketPair {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system(call: "socketpair", error: errno) }
    return SocketPair(
      parentEnd: RecordSocket(descriptor: OwnedDescriptor(adopting: ends[0])),
      childEnd: OwnedDescriptor(adopting: ends[1]))
  }

  private init(descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  /// The descriptor that `poll` reports as readable once a record has arrived.
  var number: Int32 { descriptor.number }

  /// Sends a record and optionally a file's descriptor.
  ///
  /// The C function is `sendmsg`.
  ///
  /// - Returns: Whether the record was sent; false if the other end is closed.
  package func send(_ words: WireWords, file: Int32?) -> Bool {
    var words = words
    return withUnsafeBytes(of: &words) {
      platform_send_record(number, $0.baseAddress, WireFormat.byteCount, file ?? -1) == WireFormat.byteCount
    }
  }

  /// Receives a record; blocks if none has arrived.
  ///
  /// The C function is `recvmsg`.
  func receive() -> Received {
    var words = WireWords()
    var surplus: Int32 = -1
    var truncated: Int32 = 0
    let count = withUnsafeMutableBytes(of: &words) {
      platform_receive_record(number, $0.baseAddress, WireFormat.byteCount, &surplus, &truncated)
    }
    if surplus >= 0 { close(surplus) }
    if count <= 0 { return .closed }
    return count == WireFormat.byteCount && truncated == 0 && surplus < 0 ? .record(words) : .malformed
  }

  /// Receives a packet of any length; blocks if none has arrived.
  ///
  /// The C function is `recvmsg`.
  ///
  /// - Parameter buffer: The memory for the packet.
  /// - Returns: The bytes of the packet in the buffer; empty if the other end is closed; nil for a packet that is longer, or
  ///   with descriptors, which no process may send.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer? {
    var surplus: Int32 = -1
    var truncated: Int32 = 0
    let count = platform_receive_record(number, buffer.baseAddress, buffer.count, &surplus, &truncated)
    if surplus >= 0 { close(surplus) }
    guard truncated == 0, surplus < 0 else { return nil }
    return UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)])
  }

  /// Whether a record or the end of the connection can be received without waiting.
  ///
  /// The C function is `poll`.
  package var isReadable: Bool {
    var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }
}

/// Both ends of a new socket.
package struct SocketPair: ~Copyable {
  /// The program's end.
  package let parentEnd: RecordSocket
  /// The other process's end.
  package let childEnd: OwnedDescriptor

  /// Returns the program's end, and closes the other one.
  package consuming func takeParentEnd() -> RecordSocket { parentEnd }
}

/// Memory shared with one decoding process, sealed so that neither can shrink it.
///
/// Pages are allocated when they are written, so a large slot costs no more than the images that pass through it.
struct SharedSlot: ~Copyable {
  /// The descriptor that the decoding process maps.
  let descriptor: OwnedDescriptor
  /// The memory of images.
  ///
  /// The other process may change it at any time, so each byte is read only once.
  let bytes: UnsafeMutableRawBufferPointer
  /// The word that interrupts a request; it is never read here.
  let interruption: UnsafeMutablePointer<UInt32>
  private let byteCount: Int

  /// Allocates the memory of a launch with one slot.
  ///
  /// The C functions are `memfd_create`, `fcntl` with F_ADD_SEALS, and `mmap`.
  init(_ launch: DecodingLaunch) throws(DecodingProcessError) {
    byteCount = launch.sharedBytes
    let number = platform_memfd("vitrine slot", byteCount)
    guard number >= 0 else { throw .system(call: "memfd_create", error: errno) }
    let owned = OwnedDescriptor(adopting: number)
    guard let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0), start != MAP_FAILED else {
      throw .system(call: "mmap", error: errno)
    }
    descriptor = owned
    bytes = UnsafeMutableRawBufferPointer(start: start, count: launch.slotBytes)
    interruption = (start + launch.interruptionOffset).bindMemory(to: UInt32.self, capacity: 1)
  }

  deinit { munmap(bytes.baseAddress, byteCount) }

  /// Erases what a process has written, so that the next one does not find pixels of the picture before its own.
  ///
  /// The memory of the result stays allocated, which would cost more than it does to overwrite it. The C functions are
  /// `fstat`, and `madvise` with MADV_REMOVE.
  ///
  /// - Parameter count: The number of bytes of the result.
  /// - Returns: Whether all memory reads as zeros now.
  func erase(_ count: Int) -> Bool {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let lastPage = (byteCount - 1) / page * page
    let kept = min((count + page - 1) / page * page, lastPage)
    let memory = UnsafeMutableRawBufferPointer(start: bytes.baseAddress, count: byteCount)
    // With the word, which each process reads, so that its page is always there.
    for range in [0..<kept, lastPage..<byteCount] {
      UnsafeMutableRawBufferPointer(rebasing: memory[range]).initializeMemory(as: UInt8.self, repeating: 0)
    }
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, let start = memory.baseAddress else { return false }
    if status.st_blocks * 512 <= kept + page { return true }
    // The process wrote elsewhere too, or a larger picture was here before.
    return madvise(start + kept, lastPage - kept, Int32(MADV_REMOVE)) == 0
  }
}
