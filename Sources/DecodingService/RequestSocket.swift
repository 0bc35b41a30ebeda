import CVitrinePlatform
import Glibc
import VitrineDecodingProtocol

/// A socket on which requests are received and replies are sent, which wraps `recvmsg` and `write`.
struct RequestSocket {
  /// A received packet.
  struct Packet {
    var words: WireWords
    /// Whether the packet has the length of a record.
    var isRecord: Bool
    /// Whether the packet is a record and no attached data was lost.
    var isComplete: Bool
    /// The attached descriptor, or -1.
    ///
    /// The receiver must close it.
    var descriptor: Int32
  }

  let descriptor: Int32

  /// Waits for the next packet.
  ///
  /// - Returns: The packet, or nil when the other end has closed.
  func receive() -> Packet? {
    var packet = Packet(words: WireWords(), isRecord: false, isComplete: false, descriptor: -1)
    var truncated: Int32 = 0
    let count = withUnsafeMutableBytes(of: &packet.words) { bytes in
      platform_receive_record(descriptor, bytes.baseAddress, bytes.count, &packet.descriptor, &truncated)
    }
    guard count > 0 else { return nil }
    packet.isRecord = count == WireFormat.byteCount
    packet.isComplete = packet.isRecord && truncated == 0
    return packet
  }

  /// Sends a reply.
  ///
  /// - Returns: False if the other end has closed.
  func send(_ reply: DecodingReply) -> Bool { send(reply.words) }

  /// Sends a record.
  ///
  /// The C function is `write`, as the sandbox forbids `sendmsg`. SIGPIPE must be ignored.
  ///
  /// - Returns: False if the other end has closed.
  func send(_ words: WireWords) -> Bool {
    withUnsafeBytes(of: words) { bytes in
      var count: Int
      repeat { count = write(descriptor, bytes.baseAddress, bytes.count) } while count < 0 && errno == EINTR
      return count == bytes.count
    }
  }
}

/// The memory shared with the client, in which pixels are exchanged.
struct SharedSlots {
  private let memory: UnsafeMutableRawPointer
  private let launch: DecodingLaunch

  /// Maps the slots and closes their descriptor.
  ///
  /// Returns nil if they are missing or too small.
  ///
  /// The C functions are `fstat`, `mmap` and `close`.
  ///
  /// - Parameters:
  ///   - launch: The launch parameters of the process.
  ///   - descriptor: The descriptor of the memory. Default: ``WireFormat/slotsDescriptor``.
  init?(_ launch: DecodingLaunch, descriptor: Int32 = WireFormat.slotsDescriptor) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= launch.sharedBytes else { return nil }
    let mapped = mmap(nil, launch.sharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { return nil }
    close(descriptor)
    memory = mapped
    self.launch = launch
  }

  /// The word through which the client cancels a request.
  var interruption: InterruptionFlag {
    InterruptionFlag((memory + launch.interruptionOffset).assumingMemoryBound(to: UInt32.self))
  }

  /// Returns the bytes of a slot, or nil if there is no such slot.
  subscript(_ index: UInt32) -> UnsafeMutableRawBufferPointer? {
    guard index < UInt32(launch.slotCount) else { return nil }
    return UnsafeMutableRawBufferPointer(start: memory + Int(index) * launch.slotBytes, count: launch.slotBytes)
  }
}

/// The word in shared memory through which the client cancels a request.
///
/// `@unchecked Sendable`: the memory stays mapped for the lifetime of the process, and is only read here, one whole
/// word at a time.
struct InterruptionFlag: @unchecked Sendable {
  private let word: UnsafePointer<UInt32>

  /// Creates a flag.
  ///
  /// - Parameter word: The word, in memory that stays mapped for the lifetime of the process.
  init(_ word: UnsafePointer<UInt32>) { self.word = word }

  /// Returns whether the client has cancelled the given request.
  func isInterrupted(_ id: UInt32) -> Bool { platform_read_shared_word(word) == id }
}
