import Geometry
import ImageDecoding
import ImageMetadata
import ImagePipeline
import Rendering
import Testing

@testable import SampleLibrary

@Suite("Sample files, read again")
struct SampleFileTests {
  /// The mean difference of two bitmaps of one size, in 1/255.
  private func difference(_ first: Bitmap, _ second: Bitmap) -> Int {
    guard first.size == second.size else { return .max }
    return first.withPixels { left in
      second.withPixels { right in
        left.indices.reduce(0) { $0 + abs(Int(left[$1]) - Int(right[$1])) } / left.count
      }
    }
  }

  private func check(
    _ count: Int, reduction: Int, makeEncoder: @escaping @Sendable () throws -> any JPEGEncoding
  ) throws -> Set<Orientation> {
    let folder = try TemporaryFolder()
    var configuration = SampleConfiguration(count: count, folder: folder.bytes(of: "samples"))
    configuration.reduction = reduction
    let library = SampleLibrary(configuration, makeEncoder: makeEncoder)
    try library.start()
    try library.waitUntilDone { _ in }
    let painter = LandscapePainter()
    var orientations: Set<Orientation> = []
    for file in library.takeFinished() {
      let scene = SceneAlbum(seed: 1).scene(at: file.index)
      let size = try pixels(scene.size.width / reduction, scene.size.height / reduction)
      let bytes = try TemporaryFolder.content(of: file.path)
      let header = try #require(ImageHeader.read(bytes))
      #expect(header.format == .jpeg)
      #expect(header.orientation == scene.orientation)
      #expect(header.captureTime == scene.captureTime)
      #expect(header.size == size)
      let shown = try bytes.withUnsafeBytes { try ImageDecoder().bitmap($0, target: DecodingTarget(size: size)) }.bitmap
      #expect(difference(shown, try painter.paint(scene, size: size)) < 9, "\(scene.title)")
      let preview = try #require(header.embeddedThumbnail)
      #expect(try #require(ImageHeader.read(Array(bytes[preview]))).format == .jpeg)
      orientations.insert(scene.orientation)
    }
    return orientations
  }

  @Test("A decoder shows every file upright, whichever way it is stored")
  func isUpright() throws {
    #expect(try check(20, reduction: 12) { RealEncoder() } == Set(Orientation.allCases))
  }

  @Test("The program's own decoding process encodes them")
  func decodingProcess() throws {
    #expect(try check(3, reduction: 8) { try EncodingProcess.forSamples() }.isEmpty == false)
  }

  @Test("Files are as large as photographs: at least two bits a pixel")
  func bitsPerPixel() throws {
    let painter = LandscapePainter()
    var (bits, area) = (0, 0)
    for index in 0..<27 {
      let scene = SceneAlbum(seed: 1).scene(at: index)
      // Grain and leaves keep their size in pixels, so that a part tells of the whole.
      let size = try pixels(scene.size.width / 5, scene.size.height / 5)
      bits += try RealEncoder().encode(try painter.paint(scene, size: size), quality: 92).count * 8
      area += size.area
    }
    #expect(Double(bits) / Double(area) >= 2)
  }
}
