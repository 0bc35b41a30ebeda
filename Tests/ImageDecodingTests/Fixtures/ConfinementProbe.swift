import DecodingProtocol
import Foundation
import Testing

/// What became of a deed inside the box.
struct ConfinementProbe {
  /// The layers that were up.
  let layers: SandboxLayers
  /// What the deed gave, or nothing where it failed.
  let result: Int?
  /// The error of a deed that failed.
  let error: Int32?
  /// The signal that ended the probe, where one did.
  let signal: Int32?
  /// The system calls that a sweep found open.
  let letThrough: [Int]

  /// Closes the box around a process of its own, and has it try a deed.
  init(_ deed: String, _ wanted: SandboxLayers, isFatal: Bool = false) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Executable.path("ConfinementProbe"))
    process.arguments = ["try", String(wanted.rawValue), isFatal ? "kill" : "fail", deed]
    // A crash ends it at once: a handler of crashes would want calls that are forbidden, and again, without end.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var facts: [String: [Int]] = [:]
    for line in output.split(separator: "\n") {
      guard let space = line.lastIndex(of: " "), let number = Int(line[line.index(after: space)...]) else { continue }
      facts[String(line[..<space]), default: []].append(number)
    }
    layers = SandboxLayers(rawValue: UInt32(try #require(facts["layers"]?.first)))
    result = facts["did"]?.first
    error = facts["failed"]?.first.map { Int32($0) }
    letThrough = facts["let through"] ?? []
    signal = process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
    #expect(signal != nil || process.terminationStatus == 0)
  }
}
