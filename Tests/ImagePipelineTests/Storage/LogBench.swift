import DataStructures
import Foundation

@testable import ImagePipeline

/// A folder with a log in it, and what records it is given.
final class LogBench {
  static let format = RecordFormat(kind: 0x5445_5354, layout: 3)

  let folder: TemporaryFolder
  private let name: String

  init(name: String = "test.log") throws {
    folder = try TemporaryFolder()
    self.name = name
  }

  /// Opens the log as another instance would.
  func open(_ format: RecordFormat = LogBench.format) throws -> RecordLog {
    try RecordLog(name, in: try StorageFolder(Array(folder.path.utf8)), format: format)
  }

  /// The file's bytes.
  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name)))) }
  }

  /// Puts bytes in the file's place.
  func put(_ bytes: some Sequence<UInt8>) throws { try folder.write(bytes, to: name) }

  /// Records of different lengths, equal for equal seeds.
  static func records(_ count: Int, seed: UInt64, longest: Int = 40) -> [[UInt8]] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...longest, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
  }
}

extension RecordLog {
  /// Everything in the log.
  func all() throws -> [[UInt8]] {
    var records: [[UInt8]] = []
    try readAll { records.append(Array($0)) }
    return records
  }

  /// What is new in the log.
  func new() throws -> [[UInt8]] {
    var records: [[UInt8]] = []
    try readNewRecords { records.append(Array($0)) }
    return records
  }
}
