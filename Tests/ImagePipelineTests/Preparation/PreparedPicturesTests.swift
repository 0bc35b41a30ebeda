import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@MainActor
@Suite("Pictures prepared by the program's own decoding process")
struct PreparedPicturesTests {
  @Test("a thumbnail has the size asked for or the pixels there are, a whole picture its own")
  func sizes() throws {
    let folder = try TemporaryFolder()
    let bitmap = try RealHelper.gradient(160, 120)
    let path = try folder.write(try EncodingProcess(largest: bitmap.size).encode(bitmap, quality: 92), to: "a.jpg")
    let waker = TestWaker()
    let pipeline = try ImagePipeline(ImagePipelineConfiguration(workers: 1), waker: waker)
    defer { pipeline.shutdown() }
    let image = StoredImage(path: path)
    func prepared(_ form: PreparedForm) throws -> Bitmap {
      var prepared: ImageOutcome?
      let end: @MainActor (ImageOutcome) -> Void = { prepared = $0 }
      switch form {
      case .display: image.prepareForDisplay(in: pipeline, completion: end)
      case .thumbnail(let size): image.prepareThumbnail(of: size, in: pipeline, completion: end)
      }
      while prepared == nil {
        try waker.wait(for: "\(form)")
        _ = pipeline.collect(at: .zero)
      }
      return try #require(prepared).get().bitmap
    }
    #expect(RealHelper.difference(try prepared(.display), bitmap) < 24)
    #expect(RealHelper.difference(try prepared(.thumbnail(pixels(40, 30))), try RealHelper.gradient(40, 30)) < 24)
    #expect(try prepared(.thumbnail(pixels(50, 20))).size == pixels(50, 20))
    // As wide as the picture and not as high: nothing is enlarged, and the shape is the one asked for.
    let wide = try prepared(.thumbnail(pixels(320, 120)))
    #expect(wide.size == pixels(160, 60))
    // Its rows are the picture's own, from the middle.
    let middle = try Bitmap(size: wide.size, isOpaque: true) { bytes in
      bitmap.withPixels { bytes.copyBytes(from: $0[(30 * 160 * 4)..<(90 * 160 * 4)]) }
    }
    #expect(RealHelper.difference(wide, middle) < 24)
    #expect(try prepared(.thumbnail(pixels(400, 400))).size == pixels(120, 120))
    #expect(pipeline.statistics.decodedOnRenderThread == 0)
  }
}
