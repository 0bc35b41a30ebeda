import Geometry
import ImageMetadata
import Testing

@Suite("Bombs are refused by their header")
struct ImageLimitsTests {
  private func allows(_ width: Int, _ height: Int, _ format: ImageFormat = .webp, fileBytes: Int) -> Bool? {
    PixelSize(width: width, height: height).map {
      ImageLimits.standard.allows($0, format: format, fileBytes: fileBytes)
    }
  }

  @Test("No side is longer than 32,767 pixels")
  func sides() {
    #expect(allows(32_767, 100, fileBytes: 1 << 20) == true)
    #expect(allows(32_768, 1, fileBytes: 1 << 20) == false)
    #expect(allows(1, 32_768, fileBytes: 1 << 20) == false)
  }

  @Test("There are no more than 256 million pixels")
  func pixels() {
    #expect(allows(16_000, 16_000, fileBytes: 60 << 20) == true)
    #expect(allows(16_001, 16_000, fileBytes: 60 << 20) == false)
  }

  @Test("Formats that are read by rows may be as long and as large as a size can be")
  func rows() {
    for format in ImageFormat.allCases.filter(\.isReadByRows) {
      #expect(allows(65_535, 65_535, format, fileBytes: 60 << 20) == true)
      #expect(allows(65_535, 65_535, format, fileBytes: 1 << 20) == false)
    }
    #expect(PixelSize(width: 65_536, height: 1) == nil)
  }

  @Test("A large picture in few bytes is not believed; a small one is")
  func ratio() {
    #expect(allows(8000, 8000, fileBytes: 1) == true)
    #expect(allows(8001, 8000, fileBytes: 1) == false)
    #expect(allows(10_000, 10_000, fileBytes: 50_000) == true)
    #expect(allows(10_000, 10_000, fileBytes: 49_999) == false)
  }
}
