import CPlatform
import DecodingProtocol

/// The socket on which requests come in and replies go out: the door to `recvmsg` and `sendmsg`.
struct RequestSocket {
  /// What came in.
  struct Packet {
    var words: WireWords
    /// Whether it was as long as a record.
    var isRecord: Bool
    /// Whether it was a record and nothing beside it was lost.
    var isComplete: Bool
    /// The descriptor beside it, or -1; the receiver's to close.
    var descriptor: Int32
  }

  let descriptor: Int32

  /// Waits for the next packet; nothing at the end.
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

  /// Sends a reply; false when nobody is there to have it.
  func send(_ reply: DecodingReply) -> Bool {
    withUnsafeBytes(of: reply.words) { bytes in
      platform_send_record(descriptor, bytes.baseAddress, bytes.count, -1) == bytes.count
    }
  }
}
