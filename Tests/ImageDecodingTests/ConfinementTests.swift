import CVitrinePlatform
import Foundation
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineImageMetadata
import VitrineTestSupport

@Suite("The sandbox of decoding processes")
struct ConfinementTests {
  /// The layers that a process applies itself, without those that its parent applies.
  private static let ownLayers = SandboxLayers.all.subtracting([.processorTime, .parent])
  /// The same without the list of system calls, so that the other layers are tested.
  private static let ownLayersWithoutSystemCalls = ownLayers.subtracting(.systemCalls)

  /// Whether the tests are built with a sanitizer, whose shadow memory takes terabytes.
  ///
  /// The list of system calls is then longer.
  private static var hasSanitizer: Bool {
    (try? ConfinementProbe("map", [.memory]).layers.contains(.memory)) != true
  }

  @Test("The layers have the values of the C function that applies them")
  func rawValues() {
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
    #expect(SandboxLayers.capabilities.rawValue == UInt32(PLATFORM_LAYER_CAPABILITIES))
    #expect(ConfinementTests.ownLayers.rawValue == UInt32(PLATFORM_LAYERS_OF_ONESELF))
  }

  @Test(
    "An action that no decoder needs fails like an unknown system call, or ends the process",
    arguments: [
      "open", "folder", "make", "mkdir", "socket", "fork", "ptrace", "kill", "kill-self", "execve", "prlimit",
      "lock-pi", "wake-op",
    ])
  func refused(action: String) throws {
    let probe = try ConfinementProbe(action, ConfinementTests.ownLayers)
    guard probe.layers.contains(.systemCalls) else { return }
    #expect(probe.result == nil)
    #expect(probe.error == ENOSYS)
    #expect(try ConfinementProbe(action, ConfinementTests.ownLayers, isFatal: true).signal == SIGSYS)
  }

  @Test("Executable memory and mapped files are forbidden; other memory, and reading open files, are allowed")
  func memoryAndFiles() throws {
    for action in ["map", "read", "wake"] {
      #expect(try ConfinementProbe(action, ConfinementTests.ownLayers, isFatal: true).result == 0)
    }
    for action in ["map-code", "map-file"] where !ConfinementTests.hasSanitizer {
      #expect(try ConfinementProbe(action, ConfinementTests.ownLayers).error == ENOSYS)
      #expect(try ConfinementProbe(action, ConfinementTests.ownLayers, isFatal: true).signal == SIGSYS)
    }
  }

  @Test("Of all system calls of the kernel, only those on the list are allowed")
  func sweep() throws {
    guard !ConfinementTests.hasSanitizer else { return }
    let probe = try ConfinementProbe("sweep", ConfinementTests.ownLayers)
    guard probe.layers.contains(.systemCalls) else { return }
    #expect(probe.allowedCalls == [])
    #if arch(x86_64)
      #expect(probe.result == 512 - 17 - 2)
    #else
      #expect(probe.result == 512 - 17)
    #endif
  }

  @Test("Landlock alone forbids files and, where supported, TCP and signals to other processes")
  func landlock() throws {
    for action in ["open", "folder", "make", "mkdir", "execve"] {
      let probe = try ConfinementProbe(action, ConfinementTests.ownLayersWithoutSystemCalls)
      if probe.layers.contains(.files) { #expect(probe.error == EACCES, "\(action)") }
    }
    for action in ["connect", "bind"] {
      let probe = try ConfinementProbe(action, ConfinementTests.ownLayersWithoutSystemCalls)
      if probe.layers.contains(.network) { #expect(probe.error == EACCES, "\(action)") }
    }
    let probe = try ConfinementProbe("kill", ConfinementTests.ownLayersWithoutSystemCalls)
    if probe.layers.contains(.scopes) { #expect(probe.error == EPERM) }
    #expect(try ConfinementProbe("kill-self", ConfinementTests.ownLayersWithoutSystemCalls).result == 0)
  }

  @Test("Limits alone bound the memory, the descriptors and the length of files")
  func limits() throws {
    let limits: SandboxLayers = [.memory, .descriptors, .fileSize]
    let memory = try ConfinementProbe("memory", limits)
    // Of 512 MiB in blocks of 16 MiB, all except the program itself.
    if memory.layers.contains(.memory) { #expect((24...32).contains(memory.result ?? 0)) }
    let descriptors = try ConfinementProbe("descriptors", limits)
    #expect((1...13).contains(descriptors.result ?? 0))
    #expect(try ConfinementProbe("write", limits).error == EFBIG)
  }

  @Test("Without the sandbox all of these actions succeed, which makes the other tests meaningful")
  func unconfined() throws {
    for action in ["open", "folder", "socket", "fork", "kill", "kill-self", "map-code", "map", "write", "bind"] {
      let probe = try ConfinementProbe(action, [])
      #expect(probe.layers == [])
      if action != "map-file" { #expect(probe.result != nil, "\(action)") }
    }
  }

  @Test("A decoding process has every layer that the kernel supports")
  func everyLayer() throws {
    let process = try DecodingProcess()
    let probe = try ConfinementProbe("map", ConfinementTests.ownLayers)
    #expect(process.layers == probe.layers.union(.parent))
    let formats = ImageFormat.table.filter { $0.decoding != .none }.map(\.format)
    #expect(process.formats == (process.layers.isSandbox ? formats : [.jpeg, .png, .webp]))
  }

  @Test(
    "If the kernel lacks a layer, the others are applied, and images are decoded",
    arguments: [
      (UnknownCall.landlock, [SandboxLayers.files, .network, .scopes]), (.seccomp, [.systemCalls]),
      (.prlimit, [.memory, .descriptors, .fileSize, .coreDumps]), (.all, []),
    ])
  func unsupportedLayers(call: UnknownCall, missing: [SandboxLayers]) throws {
    // The runtime of a sanitizer must know its limits.
    if ConfinementTests.hasSanitizer, call == .prlimit || call == .all { return }
    let allLayers = try DecodingProcess().layers
    let process = try DecodingProcess(without: call.numbers)
    if call != .all { #expect(process.layers == allLayers.subtracting(SandboxLayers(missing))) }
    if call == .all { #expect(!process.layers.isSandbox && !process.layers.contains(.files)) }
    #expect(process.layers.isSandbox == (allLayers.isSandbox && process.layers.contains(.systemCalls)))
    let reply = try process.decode(PNGWriter.file(.corners(width: 8, height: 8)), width: 8, height: 8)
    #expect(reply?.status == .ok)
    // Formats whose decoders are frequently attacked are decoded only in the sandbox.
    #expect(process.layers.isSandbox || process.formats == [.jpeg, .png, .webp])
    let bitmap = QOIWriter.file(.corners(width: 8, height: 8))
    let untrusted = try process.decode(bitmap, width: 8, height: 8)
    #expect(untrusted?.status == (process.layers.isSandbox ? .ok : .unsupportedFormat))
  }

  /// System calls that an old kernel lacks.
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

// MARK: - Decoding in the sandbox

@Suite("All decoders work in the sandbox")
struct ConfinedDecodingTests {
  /// Returns a file of every format, and one with a color profile.
  private static func files() throws -> [(name: String, file: [UInt8])] {
    var profiled = PNGWriter(width: 16, height: 16)
    let profile = ICCProfileWriter(primaries: ICCProfileWriter.exchanged).bytes
    profiled.chunks = [PNGWriter.chunk("iCCP", Array("p\0\0".utf8) + PNGWriter.stored(profile))]
    return InterruptionTests.files() + [
      ("jpeg", try JPEGFixture.file(.corners(width: 64, height: 32))),
      ("webp", WebPFixture.still(WebPFixture.lossyCorners)),
      ("lossless webp", WebPFixture.still(WebPFixture.losslessCorners)),
      ("avif", ISOMediaFixture.corners), ("avif with ten bits", ISOMediaFixture.deep),
      ("avif with alpha", ISOMediaFixture.alpha), ("heic", ISOMediaFixture.heic),
      ("png with a profile", profiled.file(.corners(width: 16, height: 16))),
    ]
  }

  @Test(
    "The first image of a process may have any format: no initialization remains that the sandbox forbids",
    arguments: [DecodingLaunch.executableName, DecodingProcess.allDecoders])
  func firstImage(executable: String) throws {
    for (name, file) in try ConfinedDecodingTests.files() {
      let process = try DecodingProcess(executable: executable)
      guard process.layers.isSandbox else { return }
      let reply = try process.decode(file, width: 16, height: 12)
      let isElsewhere =
        executable == DecodingLaunch.executableName && ["tiff", "avif", "heic"].contains { name.hasPrefix($0) }
      #expect(
        reply?.status == (isElsewhere ? .otherProgram : .ok),
        "\(name): \(String(describing: reply == nil ? process.endPicture() : nil))")
    }
  }

  @Test("A file of any format that is truncated anywhere does not end the process")
  func prefixes() throws {
    let process = try DecodingProcess()
    for (name, file) in try ConfinedDecodingTests.files() {
      // Not every prefix of a long file, but the whole header and more.
      let step = max(1, file.count / TestScale.count(400, short: 60))
      for count in Array(1..<min(200, file.count)) + Array(stride(from: 200, to: file.count, by: step)) {
        let reply = try process.decode(Array(file.prefix(count)), width: 16, height: 12)
        try #require(reply != nil, "\(count) bytes of \(name): \(String(describing: process.endPicture()))")
      }
    }
  }
}

// MARK: - Probe

/// The result of an action in the sandbox.
private struct ConfinementProbe {
  /// The layers that were applied.
  let layers: SandboxLayers
  /// The value of the action, or nil if it failed.
  let result: Int?
  /// The error of a failed action.
  let error: Int32?
  /// The signal that ended the probe, or nil.
  let signal: Int32?
  /// The system calls that a sweep found to be allowed.
  let allowedCalls: [Int]

  /// Confines a new process and performs an action in it.
  init(_ action: String, _ requestedLayers: SandboxLayers, isFatal: Bool = false) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Executable.path("ConfinementProbe"))
    process.arguments = ["try", String(requestedLayers.rawValue), isFatal ? "kill" : "fail", action]
    // A crash must end the process immediately. A crash handler needs forbidden calls, and would crash again endlessly.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var values: [String: [Int]] = [:]
    for line in output.split(separator: "\n") {
      guard let space = line.lastIndex(of: " "), let number = Int(line[line.index(after: space)...]) else { continue }
      values[String(line[..<space]), default: []].append(number)
    }
    layers = SandboxLayers(rawValue: UInt32(try #require(values["layers"]?.first)))
    result = values["did"]?.first
    error = values["failed"]?.first.map { Int32($0) }
    allowedCalls = values["let through"] ?? []
    signal = process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
    #expect(signal != nil || process.terminationStatus == 0)
  }
}
