/// How a decoding process is started, in words that both sides share.
///
/// Its arguments are its name, the number of slots and the bytes of a slot. Descriptor ``Wire/socketDescriptor`` is a
/// SOCK_SEQPACKET socket; ``Wire/slotsDescriptor`` is memory of `slotCount * slotBytes` bytes, slot after slot, sealed
/// against shrinking. Nothing else is open but, if wanted, the standard streams. The process maps the slots, closes their
/// descriptor, limits itself, and sends a ``DecodingReply`` of number 0 and status ``DecodingStatus/ok``: it is ready.
/// It then answers each ``DecodingRequest`` in turn, and leaves with status 0 when the other end of the socket closes.
public struct DecodingLaunch: Hashable, Sendable {
  /// The executable's name.
  public static let executableName = "vitrine-decode"
  /// The most slots.
  public static let mostSlots = 64
  /// The most bytes of all slots together.
  public static let mostSharedBytes = 1 << 31

  /// How many slots there are, 1 to ``mostSlots``.
  public let slotCount: Int
  /// The bytes of a slot, at least 4.
  public let slotBytes: Int

  /// Makes a launch, or nothing where a number is not what it may be.
  public init?(slotCount: Int, slotBytes: Int) {
    guard (1...DecodingLaunch.mostSlots).contains(slotCount), slotBytes >= 4,
      slotBytes <= DecodingLaunch.mostSharedBytes / slotCount
    else { return nil }
    self.slotCount = slotCount
    self.slotBytes = slotBytes
  }

  /// Reads the arguments of a process, its name included; nothing where they are not as ``arguments`` makes them.
  public init?(arguments: [String]) {
    guard arguments.count == 3, let slotCount = Int(arguments[1]), let slotBytes = Int(arguments[2]) else { return nil }
    self.init(slotCount: slotCount, slotBytes: slotBytes)
  }

  /// The arguments of the process.
  public var arguments: [String] { [DecodingLaunch.executableName, String(slotCount), String(slotBytes)] }

  /// The bytes of all slots.
  public var sharedBytes: Int { slotCount * slotBytes }
}
