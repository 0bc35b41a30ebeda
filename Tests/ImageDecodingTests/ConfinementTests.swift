import CPlatform
import DecodingProtocol
import Glibc
import ImageMetadata
import Testing

@Suite("The box of decoding processes")
struct ConfinementTests {
  /// What a process does to itself: all but what its parent does.
  private static let own = SandboxLayers.all.subtracting([.processorTime, .parent])
  /// The same without the list of system calls, so that the layers behind it are seen.
  private static let behind = own.subtracting(.systemCalls)

  /// Whether this is built with a sanitizer, whose shadow takes terabytes: then the list has more calls.
  private static var hasSanitizer: Bool {
    (try? ConfinementProbe("map", [.memory]).layers.contains(.memory)) != true
  }

  @Test("the layers have the numbers of the C function that sets them up")
  func numbers() {
    #expect(SandboxLayers.memory.rawValue == UInt32(PLATFORM_LAYER_MEMORY))
    #expect(SandboxLayers.processorTime.rawValue == UInt32(PLATFORM_LAYER_PROCESSOR_TIME))
    #expect(SandboxLayers.descriptors.rawValue == UInt32(PLATFORM_LAYER_DESCRIPTORS))
    #expect(SandboxLayers.fileSize.rawValue == UInt32(PLATFORM_LAYER_FILE_SIZE))
    #expect(SandboxLayers.coreDumps.rawValue == UInt32(PLATFORM_LAYER_CORE_DUMPS))
    #expect(SandboxLayers.privileges.rawValue == UInt32(PLATFORM_LAYER_PRIVILEGES))
    #expect(SandboxLayers.inspection.rawValue == UInt32(PLATFORM_LAYER_INSPECTION))
    #expect(SandboxLayers.parent.rawValue == UInt32(PLATFORM_LAYER_PARENT))
    #expect(SandboxLayers.files.rawValue == UInt32(PLATFORM_LAYER_FILES))
    #expect(SandboxLayers.network.rawValue == UInt32(PLATFORM_LAYER_NETWORK))
    #expect(SandboxLayers.scopes.rawValue == UInt32(PLATFORM_LAYER_SCOPES))
    #expect(SandboxLayers.systemCalls.rawValue == UInt32(PLATFORM_LAYER_SYSTEM_CALLS))
    #expect(ConfinementTests.own.rawValue == UInt32(PLATFORM_LAYERS_OF_ONESELF))
  }

  @Test(
    "what a decoder has no need of is refused as if the kernel did not know it, or ends the process",
    arguments: [
      "open", "folder", "make", "mkdir", "socket", "fork", "ptrace", "kill", "kill-self", "execve", "prlimit",
    ])
  func refused(deed: String) throws {
    let probe = try ConfinementProbe(deed, ConfinementTests.own)
    guard probe.layers.contains(.systemCalls) else { return }
    #expect(probe.result == nil)
    #expect(probe.error == ENOSYS)
    #expect(try ConfinementProbe(deed, ConfinementTests.own, isFatal: true).signal == SIGSYS)
  }

  @Test("no memory that can be executed, none that is a file's; other memory, and reading what is open, is allowed")
  func memoryAndFiles() throws {
    for deed in ["map", "read"] {
      #expect(try ConfinementProbe(deed, ConfinementTests.own, isFatal: true).result == 0)
    }
    for deed in ["map-code", "map-file"] where !ConfinementTests.hasSanitizer {
      #expect(try ConfinementProbe(deed, ConfinementTests.own).error == ENOSYS)
      #expect(try ConfinementProbe(deed, ConfinementTests.own, isFatal: true).signal == SIGSYS)
    }
  }

  @Test("of all the kernel's system calls only those on the list come through")
  func sweep() throws {
    guard !ConfinementTests.hasSanitizer else { return }
    let probe = try ConfinementProbe("sweep", ConfinementTests.own)
    guard probe.layers.contains(.systemCalls) else { return }
    #expect(probe.letThrough == [])
    #if arch(x86_64)
      #expect(probe.result == 512 - 18 - 2)
    #else
      #expect(probe.result == 512 - 18)
    #endif
  }

  @Test("Landlock alone refuses files, and where it can TCP and signals to others")
  func landlock() throws {
    for deed in ["open", "folder", "make", "mkdir", "execve"] {
      let probe = try ConfinementProbe(deed, ConfinementTests.behind)
      if probe.layers.contains(.files) { #expect(probe.error == EACCES, "\(deed)") }
    }
    for deed in ["connect", "bind"] {
      let probe = try ConfinementProbe(deed, ConfinementTests.behind)
      if probe.layers.contains(.network) { #expect(probe.error == EACCES, "\(deed)") }
    }
    let probe = try ConfinementProbe("kill", ConfinementTests.behind)
    if probe.layers.contains(.scopes) { #expect(probe.error == EPERM) }
    #expect(try ConfinementProbe("kill-self", ConfinementTests.behind).result == 0)
  }

  @Test("limits alone bound memory, descriptors and the length of files")
  func limits() throws {
    let limits: SandboxLayers = [.memory, .descriptors, .fileSize]
    let memory = try ConfinementProbe("memory", limits)
    // Of 512 MiB in pieces of 16, all but the program itself.
    if memory.layers.contains(.memory) { #expect((24...32).contains(memory.result ?? 0)) }
    let descriptors = try ConfinementProbe("descriptors", limits)
    #expect((1...13).contains(descriptors.result ?? 0))
    #expect(try ConfinementProbe("write", limits).error == EFBIG)
  }

  @Test("without the box all of that is possible, so that the tests above mean something")
  func unconfined() throws {
    for deed in ["open", "folder", "socket", "fork", "kill", "kill-self", "map-code", "map", "write", "bind"] {
      let probe = try ConfinementProbe(deed, [])
      #expect(probe.layers == [])
      if deed != "map-file" { #expect(probe.result != nil, "\(deed)") }
    }
  }

  @Test("a decoding process on this kernel has every layer that the kernel has")
  func everyLayer() throws {
    let process = try DecodingProcess()
    let probe = try ConfinementProbe("map", ConfinementTests.own)
    #expect(process.layers == probe.layers.union(.parent))
    let formats: [ImageFormat] = [.jpeg, .png, .webp, .gif, .bmp, .tiff, .avif, .heic, .qoi]
    #expect(process.formats == (process.layers.isSandbox ? formats : [.jpeg, .png, .webp]))
  }

  @Test(
    "where the kernel refuses a layer the others stand, and pictures are decoded",
    arguments: [
      (UnknownCall.landlock, [SandboxLayers.files, .network, .scopes]), (.seccomp, [.systemCalls]),
      (.prlimit, [.memory, .descriptors, .fileSize, .coreDumps]), (.all, []),
    ])
  func optional(call: UnknownCall, missing: [SandboxLayers]) throws {
    // A sanitizer's runtime cannot do without knowing its limits.
    if ConfinementTests.hasSanitizer, call == .prlimit || call == .all { return }
    let whole = try DecodingProcess().layers
    let process = try DecodingProcess(without: call.numbers)
    if call != .all { #expect(process.layers == whole.subtracting(SandboxLayers(missing))) }
    if call == .all { #expect(!process.layers.isSandbox && !process.layers.contains(.files)) }
    #expect(process.layers.isSandbox == (whole.isSandbox && process.layers.contains(.systemCalls)))
    let reply = try process.decode(PNGWriter.file(.corners(width: 8, height: 8)), width: 8, height: 8)
    #expect(reply?.status == .ok)
    // Formats whose decoders are attacked for a living are decoded in the sandbox alone.
    #expect(process.layers.isSandbox || process.formats == [.jpeg, .png, .webp])
    let bitmap = QOIWriter.file(.corners(width: 8, height: 8))
    let doubtful = try process.decode(bitmap, width: 8, height: 8)
    #expect(doubtful?.status == (process.layers.isSandbox ? .ok : .unsupportedFormat))
  }

  /// System calls that an old kernel has not.
  enum UnknownCall: CaseIterable, Sendable {
    case landlock
    case seccomp
    case prlimit
    case all

    var numbers: [Int] {
      #if arch(x86_64)
        let seccomp = 317
        let prlimit = 302
        let prctl = 157
      #else
        let seccomp = 277
        let prlimit = 261
        let prctl = 167
      #endif
      return switch self {
      case .landlock: [444, 446]
      case .seccomp: [seccomp]
      case .prlimit: [prlimit]
      case .all: [444, 446, seccomp, prlimit, prctl]
      }
    }
  }
}
