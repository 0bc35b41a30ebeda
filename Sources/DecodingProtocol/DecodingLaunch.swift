import Glibc

/// The launch parameters of a decoding process.
///
/// The process's arguments are its name, the number of slots, the bytes of a slot, and the action for forbidden system
/// calls. Descriptor ``WireFormat/socketDescriptor`` is a SOCK_SEQPACKET socket. Descriptor
/// ``WireFormat/slotsDescriptor`` is shared memory of ``sharedBytes`` bytes, sealed against shrinking: the slots, then
/// one word. No other descriptors are open, except optionally the standard streams.
///
/// The process maps the memory, closes its descriptor, initializes its decoders and activates its sandbox. It then
/// sends a ``DecodingReply`` with id 0, status ``DecodingStatus/ok``, the active sandbox layers and its version, to
/// signal that it is ready. For each ``PictureProcessRequest`` it forks a process, which answers the ``DecodingRequest``
/// of one picture. It exits with status 0 when the other end of the socket closes.
///
/// The client writes the id of a cancelled request to the word after the slots. The picture process checks it while
/// decoding, and answers ``DecodingStatus/interrupted``.
package struct DecodingLaunch: Hashable, Sendable {
  /// The name of the executable.
  package static let executableName = "vitrine-decode"
  /// The maximum number of slots.
  package static let maximumSlots = 64
  /// The maximum number of bytes of all slots together.
  package static let maximumSharedBytes = 1 << 31

  /// The number of slots, 1 to ``maximumSlots``.
  package let slotCount: Int
  /// The size of a slot in bytes, at least 4.
  package let slotBytes: Int
  /// The action for forbidden system calls.
  package let forbiddenCalls: ForbiddenCallAction

  /// Creates launch parameters, or returns nil if a value is out of range.
  package init?(slotCount: Int, slotBytes: Int, forbiddenCalls: ForbiddenCallAction = .fail) {
    guard (1...DecodingLaunch.maximumSlots).contains(slotCount), slotBytes >= 4,
      slotBytes <= DecodingLaunch.maximumSharedBytes / slotCount
    else { return nil }
    self.slotCount = slotCount
    self.slotBytes = slotBytes
    self.forbiddenCalls = forbiddenCalls
  }

  /// Parses the arguments of a process, including its name, or returns nil if they do not have the form of
  /// ``arguments``.
  package init?(arguments: [String]) {
    guard arguments.count == 4, let slotCount = Int(arguments[1]), let slotBytes = Int(arguments[2]),
      let forbiddenCalls = ForbiddenCallAction(rawValue: arguments[3])
    else { return nil }
    self.init(slotCount: slotCount, slotBytes: slotBytes, forbiddenCalls: forbiddenCalls)
  }

  /// The arguments of the process.
  package var arguments: [String] {
    [DecodingLaunch.executableName, String(slotCount), String(slotBytes), forbiddenCalls.rawValue]
  }

  /// The offset of the word that interrupts a request: the first aligned offset after the slots.
  package var interruptionOffset: Int { (slotCount * slotBytes + 3) & ~3 }

  /// The number of bytes of all slots and the word, in whole pages, so that no process has memory beyond them.
  package var sharedBytes: Int {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    return (interruptionOffset + 4 + page - 1) / page * page
  }
}

/// The version of the decoders of the decoding programs.
package enum DecodingVersion {
  /// The version of this release's programs, from 1 to 65,535.
  ///
  /// Raised by each release that fixes the security of a decoder, ours or a library's. The release adds the fix to
  /// `SecurityFixes.list`.
  package static let current = 1
}

/// The action for a system call that the sandbox forbids.
package enum ForbiddenCallAction: String, CaseIterable, Hashable, Sendable {
  /// The call fails with ENOSYS, as on a kernel that does not support it; the process continues if it can.
  case fail
  /// The call ends the process with SIGSYS, so that a test detects calls missing from the list.
  case kill
}

/// The layers that confine a decoding process.
///
/// The kernel may not support some of them; the others apply regardless.
///
/// The values are those of `platform_confine` in CPlatform.
public struct SandboxLayers: OptionSet, Hashable, Sendable {
  /// The bits, as sent in the first reply of a decoding process.
  public let rawValue: UInt32

  /// Creates a set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A limit of the address space, so that an image that needs more fails instead of swapping (RLIMIT_AS).
  public static let memory = SandboxLayers(rawValue: 1 << 0)
  /// A limit of processor time, renewed by the client for each request (RLIMIT_CPU).
  public static let processorTime = SandboxLayers(rawValue: 1 << 1)
  /// A limit of open descriptors (RLIMIT_NOFILE).
  public static let descriptors = SandboxLayers(rawValue: 1 << 2)
  /// No file can grow (RLIMIT_FSIZE).
  public static let fileSize = SandboxLayers(rawValue: 1 << 3)
  /// No core dumps (RLIMIT_CORE).
  public static let coreDumps = SandboxLayers(rawValue: 1 << 4)
  /// Executing a program grants no privileges (PR_SET_NO_NEW_PRIVS).
  public static let privileges = SandboxLayers(rawValue: 1 << 5)
  /// No other process of the user can inspect this one (PR_SET_DUMPABLE).
  public static let inspection = SandboxLayers(rawValue: 1 << 6)
  /// The process ends with its parent (PR_SET_PDEATHSIG).
  public static let parent = SandboxLayers(rawValue: 1 << 7)
  /// Nothing in the file system can be opened, created, renamed or removed (Landlock).
  public static let files = SandboxLayers(rawValue: 1 << 8)
  /// No TCP connections, incoming or outgoing (Landlock, version 4).
  public static let network = SandboxLayers(rawValue: 1 << 9)
  /// No signals to other processes, and no connections to their abstract sockets (Landlock, version 6).
  public static let scopes = SandboxLayers(rawValue: 1 << 10)
  /// Only the system calls that decoding needs (seccomp).
  public static let systemCalls = SandboxLayers(rawValue: 1 << 11)

  /// No capabilities, even if the user is the superuser (capset).
  public static let capabilities = SandboxLayers(rawValue: 1 << 12)

  /// All layers.
  public static let all = SandboxLayers(rawValue: (1 << 13) - 1)

  /// Whether the process is sandboxed, so that formats whose decoders are frequent targets of attacks may be decoded.
  ///
  /// The system call filter alone blocks every escape from the process. The other layers add depth, but none of them
  /// replaces it.
  public var isSandbox: Bool { contains(.systemCalls) }

  /// The names of the layers, in the order of their bits.
  ///
  /// Unknown bits are omitted.
  public var names: [String] {
    SandboxLayers.words.enumerated().compactMap {
      contains(SandboxLayers(rawValue: 1 << UInt32($0.offset))) ? $0.element : nil
    }
  }

  private static let words = [
    "memory", "processor time", "descriptors", "file size", "core dumps", "privileges", "inspection", "parent", "files",
    "network", "scopes", "system calls", "capabilities",
  ]
}
