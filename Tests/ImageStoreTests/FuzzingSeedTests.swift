import Foundation
import Testing
import VitrineGeometry
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineTestSupport

/// Tests with the fuzzers' seeds and the inputs that they found.
@Suite("Fuzzing seeds of shared thumbnails")
struct FuzzingSeedTests {
  /// The folder Fuzzing/Seeds of the package.
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzzing/Seeds")

  private static func seeds(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path).sorted()
  }

  private static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  @Test("Each shared thumbnail has the expected metadata, and each prefix of it no other")
  func sharedThumbnails() throws {
    for name in try Self.seeds("Shared") {
      let bytes = try Self.bytes("Shared/" + name)
      let metadata = try #require(SharedThumbnailMetadata(bytes))
      #expect(metadata.failure == (name == "failure" ? .damaged : nil))
      #expect(metadata.size == (name == "failure" ? pixels(1, 1) : pixels(4, 3)))
      for count in bytes.indices {
        guard let part = SharedThumbnailMetadata(Array(bytes[..<count])) else { continue }
        #expect(part.size == metadata.size && (part.uri == nil || part.uri == metadata.uri))
      }
    }
    let thumbnail = try #require(SharedThumbnailMetadata(Self.bytes("Shared/thumbnail")))
    #expect(thumbnail.matches("file:///a%20b.jpg", modifiedSeconds: 1_600_000_000, byteCount: 12_345))
    let fractions = try #require(SharedThumbnailMetadata(Self.bytes("Shared/fractions")))
    #expect(fractions.matches("u", modifiedSeconds: -5, byteCount: 0))
  }
}
