import Glibc
import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("Progressive JPEG decoding")
struct ProgressiveJPEGTests {
  private static let picture = TestPicture.landscape(width: 333, height: 241)

  private func scan(_ components: [Int], _ coefficients: ClosedRange<Int>, high: UInt8, low: UInt8) -> JPEGScan? {
    let selectors: [UInt8] = components.flatMap { [UInt8($0 + 1), 0] as [UInt8] }
    let content: [UInt8] =
      [UInt8(components.count)] + selectors
      + [UInt8(coefficients.lowerBound), UInt8(coefficients.upperBound), high << 4 | low]
    return JPEGScan(content[...], identifiers: [1, 2, 3])
  }

  /// The default script of libjpeg.
  private var defaultScript: [JPEGScan] {
    [
      scan([0, 1, 2], 0...0, high: 0, low: 1), scan([0], 1...5, high: 0, low: 2), scan([2], 1...63, high: 0, low: 1),
      scan([1], 1...63, high: 0, low: 1), scan([0], 6...63, high: 0, low: 2), scan([0], 1...63, high: 2, low: 1),
      scan([0, 1, 2], 0...0, high: 1, low: 0), scan([2], 1...63, high: 1, low: 0),
      scan([1], 1...63, high: 1, low: 0), scan([0], 1...63, high: 1, low: 0),
    ].compactMap { $0 }
  }

  @Test("The default script needs DC for an eighth, low coefficients for a quarter, and all for the whole image")
  func defaultPlan() {
    let script = defaultScript
    #expect(script.count == 10)
    func plan(_ eighths: Int) -> ScanPlan { ScanPlan(scans: script, components: 3, eighths: eighths) }
    #expect([1, 2, 3, 4, 8].map { plan($0).scanCount } == [1, 4, 5, 10, 10])
    #expect([1, 2, 3, 4, 8].map { plan($0).storedSide } == [2, 4, 6, 8, 8])
    #expect(plan(1).storedBytes(ofAll: 6400) == 400)
  }

  @Test("Coefficients that are refined are stored completely")
  func refinement() {
    // The DC coefficients lack two bits at first. The missing bits come after a refinement.
    let script = [
      scan([0, 1, 2], 0...0, high: 0, low: 2), scan([0], 1...63, high: 0, low: 1), scan([0], 1...63, high: 1, low: 0),
      scan([0, 1, 2], 0...0, high: 2, low: 1),
    ].compactMap { $0 }
    let plan = ScanPlan(scans: script, components: 3, eighths: 1)
    #expect(plan.scanCount == 4)
    #expect(plan.storedSide == 8)
  }

  @Test("All scans are read if they never suffice, or if the file is not progressive")
  func allScans() {
    #expect(ScanPlan(scans: Array(defaultScript.prefix(2)), components: 3, eighths: 8).scanCount == .max)
    let plain = ScanPlan(scans: [], components: 3, eighths: 2)
    #expect(plain.scanCount == .max)
    #expect(plain.storedSide == 4)
  }

  @Test("With a small memory budget the image is less sharp, or is not decoded")
  func memoryBudget() throws {
    let file = try JPEGFixture.progressive(ProgressiveJPEGTests.picture)
    let structure = file.withUnsafeBytes { JPEGStructure($0) }
    func eighths(keeping budget: Int) -> Int? {
      structure.plan(atMost: 8, coefficientBytes: 6400, budget: budget)?.eighths
    }
    #expect(eighths(keeping: 6400) == 8)
    // From four eighths on, refinements are read, for which all coefficients are stored.
    #expect(eighths(keeping: 6399) == 3)
    #expect(eighths(keeping: 3600) == 3)
    #expect(eighths(keeping: 3599) == 2)
    #expect(eighths(keeping: 1599) == 1)
    #expect(eighths(keeping: 400) == 1)
    #expect(eighths(keeping: 399) == nil)
    #expect(structure.plan(atMost: 2, coefficientBytes: 0, budget: 0)?.eighths == 2)
  }

  @Test("An invalid scan header is nil")
  func invalidScans() {
    let headers: [[UInt8]] = [
      [], [0, 0, 0, 0], [5, 1, 0], [1, 9, 0, 0, 0, 0], [1, 1, 0, 5, 4, 0], [1, 1, 0, 0, 64, 0], [1, 1, 0, 0, 63],
    ]
    for header in headers { #expect(JPEGScan(header[...], identifiers: [1, 2, 3]) == nil) }
  }

  @Test("All scans give the pixels of the same image in one pass")
  func wholeSize() throws {
    let baseline = try Decoding.decode(try JPEGFixture.file(ProgressiveJPEGTests.picture))
    let progressive = try Decoding.decode(try JPEGFixture.progressive(ProgressiveJPEGTests.picture))
    #expect(!progressive.image.isDamaged)
    #expect(progressive.picture == baseline.picture)
  }

  @Test(
    "The first scans give a small image as well as all scans do",
    arguments: [(20, 42.5), (41, 43), (80, 43), (120, 43)])
  func fewScans(width: Int, minimum: Double) throws {
    let target = (width, width * 241 / 333)
    let baseline = try Decoding.decode(
      try JPEGFixture.file(ProgressiveJPEGTests.picture), width: target.0, height: target.1)
    let progressive = try Decoding.decode(
      try JPEGFixture.progressive(ProgressiveJPEGTests.picture), width: target.0, height: target.1)
    #expect(!progressive.image.isDamaged)
    #expect(decibels(progressive.picture, baseline.picture) >= minimum)
  }

  @Test("Later scans are not decoded, except for the end marker")
  func laterScans() throws {
    let file = try JPEGFixture.progressive(ProgressiveJPEGTests.picture)
    let scans = file.indices.filter { file[$0...].starts(with: [0xFF, 0xDA]) }
    let whole = try Decoding.decode(file, width: 20, height: 15)
    // The pixels of the second scan are zeros, which would give another image.
    var faulty = file
    for index in scans[1] + 12..<scans[2] { faulty[index] = 0 }
    #expect(try Decoding.decode(faulty, width: 20, height: 15).picture == whole.picture)
    let cut = try Decoding.decode(Array(file.prefix(scans[3])), width: 20, height: 15)
    #expect(cut.picture == whole.picture)
    #expect(cut.image.isDamaged)
  }

  @Test("Every prefix gives an error, or is marked as damaged")
  func prefixes() throws {
    let file = try JPEGFixture.progressive(.landscape(width: 48, height: 48), quality: 60)
    var pictures = 0
    for count in 0..<file.count {
      for side in [6, 48] {
        guard let result = try? Decoding.decode(Array(file.prefix(count)), width: side, height: side) else { continue }
        pictures += 1
        #expect(result.image.isDamaged)
      }
    }
    #expect(pictures > 50)
  }

  @Test("Files with random changes are decoded or refused", arguments: TestScale.seeds(1...4))
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let file = try JPEGFixture.progressive(.landscape(width: 40, height: 32))
    for _ in 0..<300 {
      var changed = file
      for _ in 0..<3 {
        changed[Int.random(in: 2..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      for side in [4, 8, 30] {
        guard let result = try? Decoding.decode(changed, width: side, height: side) else { continue }
        #expect(result.picture.bytes.count == side * side * 4)
      }
    }
  }

  private func decibels(_ one: TestPicture, _ other: TestPicture) -> Double {
    let squares = zip(one.bytes, other.bytes).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
    return 10 * log10(255 * 255 / max(squares / Double(one.bytes.count), 1e-9))
  }
}
