import Testing
import VitrineGeometry
import VitrineFileReading
import VitrineImageMetadata

@testable import VitrinePhotoLibrary

@Suite("What the file of one photograph states")
struct PhotographFileTests {
  /// TIFF data of 8 x 6 pixels whose directory of details states an aperture of f/2.8.
  private static let tiff: [UInt8] = {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(1, 4) + number(value, 4)
    }
    let main = number(3, 2) + entry(0x0100, 4, 8) + entry(0x0101, 4, 6) + entry(0x8769, 4, 50) + number(0, 4)
    let details = number(1, 2) + entry(0x829D, 5, 68) + number(0, 4)
    return Array("II*\0".utf8) + number(8, 4) + main + details + number(28, 4) + number(10, 4)
  }()

  private let reader = FileReader()

  @Test("The length, the header and the settings are read from a picture, also through a link")
  func picture() throws {
    let tree = try TemporaryTree()
    let path = try tree.makeFile("a/b.tif", PhotographFileTests.tiff)
    try tree.makeLink("link", to: "a/b.tif")
    for path in [path, tree.path("link")] {
      let file = try PhotographFile(readingFrom: path, by: reader)
      #expect(file.byteCount == 76 && file.header?.format == .tiff && file.header?.size?.width == 8)
      #expect(file.settings?.aperture == 2.8 && file.settings?.exposureTime == nil)
    }
    let png = try PhotographFile(readingFrom: try tree.makeFile("small.png"), by: reader)
    #expect(png.header?.format == .png && png.settings == nil)
  }

  @Test("A file that is no picture has a length only, a folder has no header, and a missing file is an error")
  func others() throws {
    let tree = try TemporaryTree()
    let text = try PhotographFile(readingFrom: try tree.makeFile("text.jpg", Array("no picture".utf8)), by: reader)
    #expect(text == PhotographFile(byteCount: 10))
    #expect(try PhotographFile(readingFrom: try tree.makeFile("empty.jpg", []), by: reader).header == nil)
    #expect(try PhotographFile(readingFrom: try tree.makeFolder("folder"), by: reader).header == nil)
    #expect(throws: FileError.self) { try PhotographFile(readingFrom: tree.path("missing.jpg"), by: reader) }
  }
}
