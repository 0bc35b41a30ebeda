import Geometry
import ImageDecoding
import Synchronization
import TestSupport
import Testing

@Suite("A picture that is not wanted any more is left between rows")
struct InterruptionTests {
  /// Counts questions, and says yes from one of them on.
  private final class Questions: Sendable {
    private let asked = Atomic(0)
    private let last: Int

    init(endingWith last: Int) {
      self.last = last
    }

    var count: Int { asked.load(ordering: .relaxed) }

    var interruption: DecodingInterruption {
      DecodingInterruption { [self] in asked.wrappingAdd(1, ordering: .relaxed).newValue >= last }
    }
  }

  private static let picture = TestPicture.landscape(width: 512, height: 256)

  /// Files whose decoders make rows.
  static func files() -> [(name: String, file: [UInt8])] {
    let rows = (0..<256).map { y in
      Array(picture.bytes[y * 512 * 4..<(y + 1) * 512 * 4]).enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
    }
    var interlaced = PNGWriter(width: 512, height: 256)
    interlaced.isInterlaced = true
    let palette = (0..<128).map { [UInt8($0), UInt8($0), UInt8($0)] }
    let numbers = (0..<256).map { y in (0..<512).map { x in UInt8((x + y) % 128) } }
    var passes = GIFWriter(canvas: (512, 256), palette: palette)
    passes.isInterlaced = true
    return [
      ("png", PNGWriter.file(picture)), ("png in passes", interlaced.file(picture)), ("qoi", QOIWriter.file(picture)),
      ("tiff", TIFFWriter(width: 512, height: 256, rowsPerStrip: 16).file(rows: rows)),
      ("bmp", BMPWriter(width: 512, height: 256).file(rows: rows)),
      ("gif", GIFWriter(canvas: (512, 256), palette: palette).file(rows: numbers)),
      ("gif in passes", passes.file(rows: numbers)),
    ]
  }

  @Test("It is asked often, but not for every row, and the first yes ends the work")
  func questions() throws {
    for (name, file) in InterruptionTests.files() {
      let patient = Questions(endingWith: .max)
      _ = try Decoding.decode(file, width: 64, height: 48, interruption: patient.interruption)
      // 131,072 pixels: once before and once after, and every 65,536 in between.
      #expect((4...20).contains(patient.count), "\(name): \(patient.count)")
      for last in 1...patient.count {
        let impatient = Questions(endingWith: last)
        #expect(throws: DecodingError.interrupted) {
          try Decoding.decode(file, width: 64, height: 48, interruption: impatient.interruption)
        }
        #expect(impatient.count == last)
      }
    }
  }

  @Test("Formats that are decoded in one piece are left before and after it")
  func wholePictures() throws {
    let files = [
      try JPEGFixture.file(.corners(width: 64, height: 48)), WebPFixture.still(WebPFixture.lossyCorners),
      ISOMediaFixture.corners, ISOMediaFixture.heic,
    ]
    for file in files {
      let patient = Questions(endingWith: .max)
      _ = try Decoding.decode(file, width: 8, height: 6, interruption: patient.interruption)
      #expect(patient.count >= 2)
      for last in 1...patient.count {
        #expect(throws: DecodingError.interrupted) {
          try Decoding.decode(
            file, width: 8, height: 6, interruption: Questions(endingWith: last).interruption)
        }
      }
    }
  }
}
