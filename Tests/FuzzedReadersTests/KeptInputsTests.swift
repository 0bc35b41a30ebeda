import Foundation
import FuzzedReaders
import Testing

@Suite("The inputs of the fuzzers that are kept in the package")
struct KeptInputsTests {
  /// The folder Fuzzing of the package.
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzzing")

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("Each input is read or refused, and no reader breaks a rule", arguments: FuzzedReader.allCases)
  func inputs(reader: FuzzedReader) throws {
    defer { if reader == .storage { try? FileManager.default.removeItem(atPath: FuzzedReader.storageFolder) } }
    var count = 0
    for kind in ["Seeds", "Corpus"] {
      let inputs = Self.folder.appending(path: "\(kind)/\(reader.rawValue)")
      guard FileManager.default.fileExists(atPath: inputs.path) else { continue }
      for name in try Self.names(in: inputs) {
        try Data(contentsOf: inputs.appending(path: name)).withUnsafeBytes { reader.read($0) }
        count += 1
      }
    }
    #expect(count > 0, "there are no inputs of \(reader.rawValue)")
  }

  @Test("Each reader has a fuzzer and a corpus, and each of these a reader")
  func folders() throws {
    let readers = FuzzedReader.allCases.map(\.rawValue).sorted()
    #expect(try Self.names(in: Self.folder.appending(path: "Corpus")) == readers)
    let fuzzers = try Self.names(in: Self.folder).filter { name in
      FileManager.default.fileExists(atPath: Self.folder.appending(path: "\(name)/\(name)Fuzzer.swift").path)
    }
    #expect(fuzzers == readers)
  }
}
