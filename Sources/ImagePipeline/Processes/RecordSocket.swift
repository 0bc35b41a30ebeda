import CPlatform
import DecodingProtocol
import Glibc

/// The program's end of the socket to a decoding process: one record a packet.
struct RecordSocket: ~Copyable {
  private let descriptor: OwnedDescriptor

  /// What a receive found.
  enum Received {
    /// A whole record and nothing beside it.
    case record(WireWords)
    /// A packet of another length, or with descriptors, which no reply has.
    case malformed
    /// The other end is closed.
    case closed
  }

  /// Makes a pair.
  ///
  /// The C function is `socketpair` with SOCK_SEQPACKET.
  ///
  /// - Returns: our end and, in `other`, the end for the decoding process.
  static func makePair() throws(DecodingProcessError) -> SocketPair {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system(call: "socketpair", error: errno) }
    return SocketPair(
      ours: RecordSocket(descriptor: OwnedDescriptor(adopting: ends[0])), theirs: OwnedDescriptor(adopting: ends[1]))
  }

  private init(descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  /// What `poll` finds readable once a record has come.
  var number: Int32 { descriptor.number }

  /// Sends a record, and a file's descriptor with it.
  ///
  /// The C function is `sendmsg`.
  ///
  /// - Returns: whether the record went; not when the other end is closed.
  func send(_ words: WireWords, file: Int32?) -> Bool {
    var words = words
    return withUnsafeBytes(of: &words) {
      platform_send_record(number, $0.baseAddress, WireFormat.byteCount, file ?? -1) == WireFormat.byteCount
    }
  }

  /// Receives a record; waits when none has come.
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
}

/// Both ends of a new socket.
struct SocketPair: ~Copyable {
  /// The program's end.
  let ours: RecordSocket
  /// The decoding process's end.
  let theirs: OwnedDescriptor
}
