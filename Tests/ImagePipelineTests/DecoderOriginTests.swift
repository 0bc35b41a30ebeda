import Testing
import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineImageMetadata
@testable import VitrineImagePipeline
import VitrineRendering
import VitrineTestSupport

@Suite("Origin of pixels")
struct DecoderOriginTests {
  private func random(_ random: inout SeededGenerator) -> DecoderOrigin {
    let formats = ImageFormat.allCases
    var origin = DecoderOrigin(
      [formats.randomElement(using: &random) ?? .jpeg], version: Int.random(in: 1...5, using: &random),
      layers: Bool.random(using: &random) ? .all : SandboxLayers.all.subtracting(.systemCalls))
    if Bool.random(using: &random), let derived = origin.derived(from: self.random(&random)) { origin = derived }
    return origin
  }

  @Test("The stored form is read back", arguments: ImageFormat.allCases)
  func roundTrip(format: ImageFormat) throws {
    for version in [1, 7, 65_535] {
      for layers in [SandboxLayers.all, [], [.systemCalls], [.memory, .network]] {
        let origin = DecoderOrigin([format], version: version, layers: layers)
        #expect(origin.packed != 0 && Int64(bitPattern: origin.packed) > 0)
        let read = try #require(DecoderOrigin(packed: origin.packed))
        #expect(read == origin)
        #expect(read.formatBits == 1 << UInt32(format.rawValue) && read.version == version && read.layers == layers)
      }
    }
  }

  @Test("A stored form with bits that have no meaning, no format or no version is nil")
  func damaged() {
    let packed = DecoderOrigin([.png], layers: .all).packed
    #expect(DecoderOrigin(packed: packed) != nil)
    for bit in (ImageFormat.allCases.count..<24) { #expect(DecoderOrigin(packed: packed | 1 << UInt64(bit)) == nil) }
    for bit in 53..<64 { #expect(DecoderOrigin(packed: packed | 1 << UInt64(bit)) == nil) }
    #expect(DecoderOrigin(packed: packed & ~0xFF_FFFF) == nil && DecoderOrigin(packed: packed & ~(0xFFFF << 24)) == nil)
    #expect(DecoderOrigin(packed: 0) == nil && DecoderOrigin(packed: .max) == nil)
    var random = SeededGenerator(seed: 4)
    for _ in 0..<10_000 {
      // Whatever is read is stored as it was.
      let bits = UInt64.random(in: 0...(1 << 54), using: &random)
      if let origin = DecoderOrigin(packed: bits) { #expect(origin.packed == bits) }
    }
  }

  @Test("Pixels made of a thumbnail have the faults of both decoders")
  func derived() throws {
    let thumbnail = DecoderOrigin([.heic], version: 3, layers: [.memory, .systemCalls])
    let decoder = DecoderOrigin([.jpeg], version: 5, layers: [.systemCalls, .files])
    let origin = try #require(decoder.derived(from: thumbnail))
    #expect(origin.formatBits == 1 << UInt32(ImageFormat.heic.rawValue) | 1 << UInt32(ImageFormat.jpeg.rawValue))
    #expect(origin.version == 3 && origin.layers == [.systemCalls])
    #expect(decoder.derived(from: nil) == nil)
  }

  // MARK: - Security fixes

  @Test("Pixels of a format are rejected if they are older than its newest fix, others are not")
  func fixes() {
    let fixes = SecurityFixes([
      SecurityFix(version: 2, formats: [.heic, .avif]), SecurityFix(version: 4, formats: [.heic]),
      SecurityFix(version: 3, formats: [.jpeg, .tiff]),
    ])
    func accepts(_ format: ImageFormat, _ version: Int) -> Bool {
      fixes.accepts(DecoderOrigin([format], version: version, layers: .all))
    }
    for (format, first) in [(ImageFormat.heic, 4), (.avif, 2), (.jpeg, 3), (.tiff, 3), (.png, 1), (.webp, 1)] {
      for version in 1...6 { #expect(accepts(format, version) == (version >= first), "\(format) \(version)") }
    }
    // A thumbnail is a JPEG image, but was made of the pixels of another decoder.
    let heic = DecoderOrigin([.heic], version: 3, layers: .all)
    #expect(!fixes.accepts(DecoderOrigin([.jpeg], version: 4, layers: .all).derived(from: heic)))
  }

  @Test("Pixels of a decoder that needs the system call filter are rejected if it was not active")
  func confinement() {
    let unconfined = SandboxLayers.all.subtracting(.systemCalls)
    for format in ImageFormat.allCases {
      let origin = DecoderOrigin([format], layers: unconfined)
      #expect(SecurityFixes.current.accepts(origin) == (format.entry.decoding == .anywhere), "\(format)")
      #expect(SecurityFixes.current.accepts(DecoderOrigin([format], layers: [.systemCalls])))
    }
  }

  @Test("Pixels of unknown origin are rejected")
  func unknown() {
    #expect(!SecurityFixes.current.accepts(nil))
    #expect(!SecurityFixes.current.accepts(DecoderOrigin([], layers: .all)))
    #expect(!SecurityFixes([]).accepts(DecoderOrigin(packed: 0)))
    // A program before there were versions.
    #expect(!SecurityFixes.current.accepts(DecoderOrigin([.jpeg], version: 0, layers: .all)))
  }

  @Test("Random origins and fixes match the rule applied to each format", arguments: TestScale.seeds(0..<20))
  func model(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let list = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        SecurityFix(
          version: Int.random(in: 1...5, using: &random),
          formats: ImageFormat.allCases.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
      }
      let fixes = SecurityFixes(list)
      for _ in 0..<50 {
        let origin = self.random(&random)
        let formats = ImageFormat.allCases.filter { origin.formatBits >> UInt32($0.rawValue) & 1 == 1 }
        let isVulnerable = list.contains { fix in
          fix.version > origin.version && fix.formats.contains { formats.contains($0) }
        }
        let isConfined = origin.layers.isSandbox || formats.allSatisfy { $0.entry.decoding == .anywhere }
        #expect(fixes.accepts(origin) == (!formats.isEmpty && !isVulnerable && isConfined))
      }
    }
  }

  @Test("The list of fixes is in order, and none is later than the program")
  func list() {
    let versions = SecurityFixes.list.map(\.version)
    #expect(versions == versions.sorted() && versions.allSatisfy { $0 > 1 && $0 <= DecodingVersion.current })
    #expect(SecurityFixes.list.allSatisfy { !$0.formats.isEmpty })
    #expect((1...65_535).contains(DecodingVersion.current))
    #expect(SecurityFixes.current == SecurityFixes(SecurityFixes.list))
  }
}

@Suite("Origin of decoded images")
struct DecodedImageOriginTests {
  @Test("An image keeps its origin through every change of its form")
  func forms() throws {
    let origin = DecoderOrigin([.webp], layers: .all)
    let bitmap = try Bitmap.gradient(8, 6)
    #expect(DecodedImage(bitmap: bitmap).origin == nil)
    let image = DecodedImage(bitmap: bitmap, sourceSize: pixels(80, 60)).made(by: origin)
    #expect(image.origin == origin && image.sourceSize == pixels(80, 60))
    var request = fileRequest([1], source: 1, pixels(8, 6))
    request.wantsTinyPreview = true
    for form in [
      image.markedStored(sourceSize: nil), image.markedPlaceholder, image.markedPreview(ofFileWithOpenFailure: 2),
      image.converted(bitmap, colorRevision: 1), image.markedDamaged, image.adapted(to: request),
      image.markedStored(sourceSize: pixels(80, 60)).adapted(to: request),
      DecodedImage(StoredThumbnail(bitmap: bitmap, origin: origin)),
    ] { #expect(form.origin == origin) }
    #expect(image.adapted(to: request).tinyPreview != nil)
  }
}
