import Geometry
import ImageMetadata
import Rendering
import Testing

@testable import SampleLibrary

@Suite("Bitmaps as files store them")
struct StoredBitmapTests {
  /// Every pixel of another colour.
  private func pattern(_ width: Int, _ height: Int) throws -> Bitmap {
    try Bitmap(size: try pixels(width, height), isOpaque: true) { bytes in
      for index in 0..<width * height {
        bytes.storeBytes(of: UInt32(index) &* 2_654_435_761 | 0xFF, toByteOffset: index * 4, as: UInt32.self)
      }
    }
  }

  private func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> UInt32 {
    bitmap.withPixels { $0.load(fromByteOffset: (y * bitmap.size.width + x) * 4, as: UInt32.self) }
  }

  @Test("EXIF's rules turn what is stored upright again", arguments: Orientation.allCases)
  func turns(orientation: Orientation) throws {
    for (width, height) in [(7, 4), (3, 9), (1, 5), (70, 41)] {
      let upright = try pattern(width, height)
      let stored = try StoredBitmap.turned(upright, for: orientation)
      let (last, bottom) = (stored.size.width - 1, stored.size.height - 1)
      for y in 0..<height {
        for x in 0..<width {
          // The words of the standard: which stored row and column are the visual top and left.
          let (column, row) =
            switch orientation {
            case .up: (x, y)
            case .upMirrored: (last - x, y)
            case .down: (last - x, bottom - y)
            case .downMirrored: (x, bottom - y)
            case .leftMirrored: (y, x)
            case .right: (y, bottom - x)
            case .rightMirrored: (last - y, bottom - x)
            case .left: (last - y, x)
            }
          #expect(pixel(stored, column, row) == pixel(upright, x, y))
        }
      }
    }
  }

  @Test("A preview's pixels are the means of what lies under them")
  func previews() throws {
    let bitmap = try Bitmap(size: try pixels(8, 4), isOpaque: true) { bytes in
      for index in 0..<32 {
        let value = UInt8(index % 8 < 4 ? 10 : 200)
        for channel in 0..<3 { bytes[index * 4 + channel] = value }
        bytes[index * 4 + 3] = 255
      }
    }
    let preview = try StoredBitmap.preview(of: bitmap, longSide: 2)
    #expect(preview.size == (try pixels(2, 1)))
    #expect(pixel(preview, 0, 0).littleEndian == 0xFF0A_0A0A)
    #expect(pixel(preview, 1, 0).littleEndian == 0xFFC8_C8C8)
  }

  @Test("A preview is never larger than its picture, nor without a pixel")
  func previewBounds() throws {
    #expect(try StoredBitmap.preview(of: try pattern(30, 20), longSide: 160).size == (try pixels(30, 20)))
    #expect(try StoredBitmap.preview(of: try pattern(400, 1), longSide: 160).size == (try pixels(160, 1)))
  }
}
