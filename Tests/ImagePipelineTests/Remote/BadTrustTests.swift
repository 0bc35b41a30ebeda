import Foundation
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Servers that do not prove who they are")
struct BadTrustTests {
  private static let program = "/usr/bin/openssl"

  /// A server whose certificate nobody but itself vouches for.
  private final class SelfSignedServer {
    let port: Int
    private let process = Process()

    init(in folder: TemporaryFolder) throws {
      let (key, certificate) = (folder.path(of: "key"), folder.path(of: "certificate"))
      let maker = Process()
      maker.executableURL = URL(fileURLWithPath: BadTrustTests.program)
      maker.arguments = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
        certificate, "-days", "2", "-subj", "/CN=127.0.0.1",
      ]
      maker.standardError = FileHandle.nullDevice
      try maker.run()
      maker.waitUntilExit()
      let output = Pipe()
      process.executableURL = maker.executableURL
      process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      var text = ""
      var port: Int?
      while port == nil {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw WaitTimeoutError(what: "the port of a server") }
        text += String(decoding: data, as: UTF8.self)
        port = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT 127.0.0.1:") }.flatMap { line in
          text.contains("\n") ? Int(line.dropFirst("ACCEPT 127.0.0.1:".count)) : nil
        }
      }
      self.port = port ?? 0
    }

    func stop() {
      // It inherits the signals that this thread blocks, and that one is never among them.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  @Test(
    "nothing is taken from one that vouches for itself",
    .enabled(if: FileManager.default.isExecutableFile(atPath: BadTrustTests.program), "there is no openssl here"))
  func selfSigned() throws {
    let folder = try TemporaryFolder()
    let server = try SelfSignedServer(in: folder)
    defer { server.stop() }
    let failure = try TransferBench(folder: folder).failure(of: "https://127.0.0.1:\(server.port)/")
    guard case .untrusted(let words) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(words.contains("certificate") && failure?.isTransient == false)
    #expect(folder.names("remote").isEmpty)
  }
}
