/// Numbers that both sides of the socket must agree on.
public enum WireFormat {
  /// The first word of every record: a version of this protocol.
  ///
  /// A process that sees another leaves.
  public static let magic: UInt32 = 0x5649_0002
  /// The words of a record; a record is one packet of a SOCK_SEQPACKET socket.
  public static let wordCount = 32
  /// The bytes of a record.
  public static let byteCount = wordCount * 4
  /// The descriptor of the socket in a decoding process.
  public static let socketDescriptor: Int32 = 3
  /// The descriptor of the shared pixels in a decoding process, closed once mapped.
  public static let slotsDescriptor: Int32 = 4
  /// How many bytes of a file are read at most; metadata that are passed over do not count.
  public static let maximumFileBytes = 64 << 20
}

/// The words of one record.
public typealias WireWords = SIMD32<UInt32>
