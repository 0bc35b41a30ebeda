/// How a decoding process is started, in words that both sides share.
///
/// Its arguments are its name, the number of slots, the bytes of a slot, and what becomes of forbidden system calls.
/// Descriptor ``Wire/socketDescriptor`` is a SOCK_SEQPACKET socket; ``Wire/slotsDescriptor`` is memory of ``sharedBytes``
/// bytes, slot after slot and then one word, sealed against shrinking. Nothing else is open but, if wanted, the standard
/// streams. The process maps the memory, closes its descriptor, sets its decoders up, closes the box around itself, and
/// sends a ``DecodingReply`` of number 0 and status ``DecodingStatus/ok`` with the layers that are up: it is ready. It then
/// answers each ``DecodingRequest`` in turn, and leaves with status 0 when the other end of the socket closes.
///
/// The word after the slots is the program's to write: the number of the request that nobody waits for any more. The
/// process looks at it while it decodes, and answers ``DecodingStatus/interrupted``.
public struct DecodingLaunch: Hashable, Sendable {
  /// The executable's name.
  public static let executableName = "vitrine-decode"
  /// The most slots.
  public static let maximumSlots = 64
  /// The most bytes of all slots together.
  public static let maximumSharedBytes = 1 << 31

  /// How many slots there are, 1 to ``mostSlots``.
  public let slotCount: Int
  /// The bytes of a slot, at least 4.
  public let slotBytes: Int
  /// What becomes of forbidden system calls.
  public let forbiddenCalls: ForbiddenCallAction

  /// Makes a launch, or nothing where a number is not what it may be.
  public init?(slotCount: Int, slotBytes: Int, forbiddenCalls: ForbiddenCallAction = .fail) {
    guard (1...DecodingLaunch.maximumSlots).contains(slotCount), slotBytes >= 4,
      slotBytes <= DecodingLaunch.maximumSharedBytes / slotCount
    else { return nil }
    self.slotCount = slotCount
    self.slotBytes = slotBytes
    self.forbiddenCalls = forbiddenCalls
  }

  /// Reads the arguments of a process, its name included; nothing where they are not as ``arguments`` makes them.
  public init?(arguments: [String]) {
    guard arguments.count == 4, let slotCount = Int(arguments[1]), let slotBytes = Int(arguments[2]),
      let forbiddenCalls = ForbiddenCallAction(rawValue: arguments[3])
    else { return nil }
    self.init(slotCount: slotCount, slotBytes: slotBytes, forbiddenCalls: forbiddenCalls)
  }

  /// The arguments of the process.
  public var arguments: [String] {
    [DecodingLaunch.executableName, String(slotCount), String(slotBytes), forbiddenCalls.rawValue]
  }

  /// Where the word stands that interrupts a request: the first aligned place after the slots.
  public var interruptionOffset: Int { (slotCount * slotBytes + 3) & ~3 }

  /// The bytes of all slots and the word.
  public var sharedBytes: Int { interruptionOffset + 4 }
}
