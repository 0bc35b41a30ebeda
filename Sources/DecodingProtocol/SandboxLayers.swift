/// What confines a decoding process, layer by layer; the kernel may refuse any of them, and the others hold all the same.
///
/// The numbers are those of `platform_confine` in CPlatform.
public struct SandboxLayers: OptionSet, Hashable, Sendable {
  /// The bits, as they stand in the first record of a decoding process.
  public let rawValue: UInt32

  /// Makes a set of bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A bound on the address space: a picture that wants more is refused, not swapped (RLIMIT_AS).
  public static let memory = SandboxLayers(rawValue: 1 << 0)
  /// A bound on processor time, renewed with each request by the program (RLIMIT_CPU).
  public static let processorTime = SandboxLayers(rawValue: 1 << 1)
  /// A bound on open descriptors (RLIMIT_NOFILE).
  public static let descriptors = SandboxLayers(rawValue: 1 << 2)
  /// No file can be made longer (RLIMIT_FSIZE).
  public static let fileSize = SandboxLayers(rawValue: 1 << 3)
  /// No core dump (RLIMIT_CORE).
  public static let coreDumps = SandboxLayers(rawValue: 1 << 4)
  /// Nothing that is executed gives rights (PR_SET_NO_NEW_PRIVS).
  public static let privileges = SandboxLayers(rawValue: 1 << 5)
  /// No other process of the user can look into it (PR_SET_DUMPABLE).
  public static let inspection = SandboxLayers(rawValue: 1 << 6)
  /// It ends with the program (PR_SET_PDEATHSIG).
  public static let parent = SandboxLayers(rawValue: 1 << 7)
  /// Nothing in the file system can be opened, made, renamed or removed (Landlock).
  public static let files = SandboxLayers(rawValue: 1 << 8)
  /// No TCP, neither out nor in (Landlock, version 4).
  public static let network = SandboxLayers(rawValue: 1 << 9)
  /// No signals to other processes, and none of their abstract sockets (Landlock, version 6).
  public static let scopes = SandboxLayers(rawValue: 1 << 10)
  /// The system calls that decoding needs and no other (seccomp).
  public static let systemCalls = SandboxLayers(rawValue: 1 << 11)

  /// Every layer there is.
  public static let all = SandboxLayers(rawValue: (1 << 12) - 1)

  /// Whether the sandbox is up, so that formats whose decoders are attacked for a living may be decoded.
  ///
  /// The list of system calls alone takes every way out of the process; the other layers stand behind it, and none of
  /// them stands in for it.
  public var isSandbox: Bool { contains(.systemCalls) }

  /// The layers in a word each, in the order of their bits; bits without a name are left out.
  public var names: [String] {
    SandboxLayers.words.enumerated().compactMap {
      contains(SandboxLayers(rawValue: 1 << UInt32($0.offset))) ? $0.element : nil
    }
  }

  private static let words = [
    "memory", "processor time", "descriptors", "file size", "core dumps", "privileges", "inspection", "parent", "files",
    "network", "scopes", "system calls",
  ]
}
