import BenchmarkSupport
import Geometry
import Testing

@Suite("The reference that thumbnails are held against")
struct ReferencePixelsTests {
  private func reference(
    _ pixels: [UInt8], _ width: Int, _ height: Int, to newWidth: Int, _ newHeight: Int
  ) throws -> ReferencePixels {
    let source = try #require(PixelSize(width: width, height: height))
    let size = try #require(PixelSize(width: newWidth, height: newHeight))
    return pixels.withUnsafeBytes { ReferencePixels($0, source: source, size: size) }
  }

  @Test("at its own size a picture is itself, and nothing is between them")
  func itself() throws {
    let pixels: [UInt8] = (0..<60).map { UInt8($0 * 4) }
    let reference = try reference(pixels, 5, 3, to: 5, 3)
    for index in reference.values.indices {
      #expect(abs(reference.values[index] - Double(pixels[index / 3 * 4 + index % 3])) < 1e-9)
    }
    #expect(pixels.withUnsafeBytes { reference.quality(of: $0) } > 150)
  }

  @Test("one colour stays one colour, and a level's difference is 48 decibels")
  func oneColor() throws {
    let reference = try reference(Array(repeating: 100, count: 40 * 30 * 4), 40, 30, to: 7, 5)
    #expect(reference.values.allSatisfy { abs($0 - 100) < 1e-9 })
    let others = [UInt8](repeating: 101, count: 7 * 5 * 4)
    let quality = others.withUnsafeBytes { reference.quality(of: $0) }
    #expect(abs(quality - 48.13) < 0.01)
  }

  @Test("values past white and black are cut")
  func clamps() throws {
    var pixels = [UInt8](repeating: 0, count: 16 * 4)
    for index in 8 * 4..<16 * 4 { pixels[index] = 255 }
    let reference = try reference(pixels, 16, 1, to: 8, 1)
    #expect(reference.values.allSatisfy { (0...255).contains($0) })
    #expect(reference.values.first == 0 && reference.values.last == 255)
  }
}
