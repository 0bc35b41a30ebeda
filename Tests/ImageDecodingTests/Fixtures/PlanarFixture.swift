import Geometry
import ImageMetadata
import Rendering
import Testing

@testable import ImageDecoding

/// Planes as a video decoder hands them out: full range, eight bits, colour at half the resolution.
struct PlanarFixture {
  let size: PixelSize
  private let luma: [UInt8]
  private let blue: [UInt8]
  private let red: [UInt8]

  /// Makes planes of a picture with sides that are even.
  init(_ picture: TestPicture) throws {
    let size = try #require(PixelSize(width: picture.width, height: picture.height))
    var luma = [UInt8](repeating: 0, count: size.area)
    var sums = [SIMD2<Double>](repeating: SIMD2(), count: size.area / 4)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = picture[x, y]
        let (r, g, b) = (Double(color.red), Double(color.green), Double(color.blue))
        let level = 0.299 * r + 0.587 * g + 0.114 * b
        luma[y * size.width + x] = UInt8(level.rounded())
        let difference = SIMD2((b - level) / 1.772, (r - level) / 1.402)
        sums[y / 2 * (size.width / 2) + x / 2] += difference / 4
      }
    }
    self.size = size
    self.luma = luma
    blue = sums.map { UInt8(max(0, min(255, ($0[0] + 128).rounded()))) }
    red = sums.map { UInt8(max(0, min(255, ($0[1] + 128).rounded()))) }
  }

  /// Draws them at a size; opaque alpha takes the way on which colours are made before pixels are averaged.
  func draw(width: Int, height: Int, fit: FitMode = .fill, withAlpha: Bool = false) throws -> TestPicture {
    let placement = Placement(
      stored: size, orientation: .up, target: try #require(PixelSize(width: width, height: height)), fit: fit)
    let opacity = [UInt8](repeating: 255, count: size.area)
    let output = try ScratchMemory<UInt8>(count: placement.outputSize.bytesAtFourPerPixel)
    try luma.withUnsafeBufferPointer { luma in
      try blue.withUnsafeBufferPointer { blue in
        try red.withUnsafeBufferPointer { red in
          try opacity.withUnsafeBufferPointer { opacity in
            let picture = try #require(
              PlanarPicture(
                size: size, luma: try plane(luma, size.width),
                chroma: (try plane(blue, size.width / 2), try plane(red, size.width / 2)), chromaAcross: 2,
                chromaDown: 2, alpha: withAlpha ? try plane(opacity, size.width) : nil, isPremultiplied: false, bits: 8,
                matrix: ColorMatrix(coefficients: 6, primaries: 1, isFullRange: true, bits: 8)))
            try PlanarReducer(backdrop: Backdrop(.black), interruption: .none).reduce(picture, for: placement)
              .draw(placement, into: output.elements, interruption: .none)
          }
        }
      }
    }
    var result = TestPicture(width: placement.outputSize.width, height: placement.outputSize.height) { _, _ in .black }
    for index in result.bytes.indices { result.bytes[index] = output.elements[index] }
    return result
  }

  private func plane(_ samples: UnsafeBufferPointer<UInt8>, _ width: Int) throws -> PlanarPicture.Plane {
    PlanarPicture.Plane(
      start: try #require(samples.baseAddress), bytesPerRow: width, width: width, height: samples.count / width)
  }
}
