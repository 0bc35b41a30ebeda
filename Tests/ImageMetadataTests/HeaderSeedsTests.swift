import Foundation
import Geometry
import ImageMetadata
import Testing

@Suite("What the fuzzer of headers begins with, and what it found, is read")
struct HeaderSeedsTests {
  /// Fuzzing/Seeds/Headers of the package.
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzzing/Seeds/Headers")

  /// One is cut by its clean aperture, one has a frame beyond its screen.
  private static let otherSizes = [
    "avif": PixelSize(width: 16, height: 12), "gif-frame": PixelSize(width: 44, height: 20),
  ]

  private static var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("Each is the format that its name says, and as large as it was made", arguments: try names)
  func seed(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    let header = try #require(ImageHeader.read(bytes))
    #expect(String(describing: header.format) == name.prefix { $0 != "-" })
    let size = Self.otherSizes[name] ?? PixelSize(width: 30, height: 20)
    if let stored = header.storedSize { #expect(stored == size) }
    #expect(name == "avif-brands" || name.hasPrefix("tiff-") || header.storedSize != nil)
  }

  @Test("Each beginning of each is the same format or none", arguments: try names)
  func beginnings(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    let format = try #require(ImageHeader.read(bytes)).format
    for count in bytes.indices {
      guard let header = ImageHeader.read(Array(bytes[..<count])) else { continue }
      #expect(header.format == format || header.format == .heic || header.format == .avif)
    }
  }
}
