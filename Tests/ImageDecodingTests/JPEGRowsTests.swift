import Foundation
import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("JPEG decoding that skips codes")
struct JPEGRowsTests {
  private typealias Component = RandomJPEGWriter.Component

  /// The result of decoding a file.
  private enum Outcome: Hashable {
    case picture(size: [Int], bytes: [UInt8], isDamaged: Bool)
    case failure(DecodingError)
    /// The file must be decoded again, by libjpeg.
    case unusual
  }

  /// Samplings with their common names: grey, 4:4:4, 4:2:2, 4:2:0, 4:4:0, 4:1:1, and an unusual one.
  private static let samplings: [(name: String, sides: [(Int, Int)])] = [
    ("grey", [(1, 1)]), ("grey, 2 x 2", [(2, 2)]), ("4:4:4", [(1, 1), (1, 1), (1, 1)]),
    ("4:2:2", [(2, 1), (1, 1), (1, 1)]), ("4:2:0", [(2, 2), (1, 1), (1, 1)]), ("4:4:0", [(1, 2), (1, 1), (1, 1)]),
    ("4:1:1", [(4, 1), (1, 1), (1, 1)]), ("odd", [(2, 2), (2, 1), (1, 2)]),
    ("inks", [(1, 1), (1, 1), (1, 1), (1, 1)]),
  ]

  private static func randomFile(_ sides: [(Int, Int)], width: Int, height: Int, restarts: Int, seed: Int) -> [UInt8] {
    let components = sides.enumerated().map {
      Component(horizontal: $0.element.0, vertical: $0.element.1, table: min(1, $0.offset))
    }
    var writer = RandomJPEGWriter(width: width, height: height, components: components, seed: UInt64(seed))
    writer.restartInterval = restarts
    return writer.file()
  }

  /// The files in Fuzzing/Seeds/Codes of the package.
  private static var seedFiles: [[UInt8]] {
    get throws {
      let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzzing/Seeds/Codes")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
        [UInt8](try Data(contentsOf: folder.appending(path: $0)))
      }
    }
  }

  /// Returns the rows at one eighth after a number of skipped rows, without the rest of the decoder.
  private func rows(_ file: [UInt8], after first: Int, skipsCodes: Bool) -> Outcome {
    file.withUnsafeBytes { bytes in
      do throws(DecodingError) {
        let reader = try JPEGRows(bytes)
        _ = try reader.frame()
        let size = try reader.begin(eighths: 1, storedSide: 8, skipsCodes: skipsCodes)
        var pixels = [UInt8](repeating: 0, count: size.width * 4 * (size.height + JPEGRows.maximumRowsPerRead))
        let skipped = min(first, size.height - 1)
        guard try reader.skip(skipped) else { return .unusual }
        var row = skipped
        while row < size.height {
          let count = try pixels.withUnsafeMutableBufferPointer { memory throws(DecodingError) -> Int? in
            guard let start = memory.baseAddress else { return nil }
            return try reader.read(
              into: start + row * size.width * 4, bytesPerRow: size.width * 4, atMost: size.height - row)
          }
          guard let count else { return .unusual }
          row += count
        }
        return .picture(size: [size.width, size.height], bytes: pixels, isDamaged: reader.isDamaged)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Returns the result of the decoder at one eighth.
  private func result(_ file: [UInt8], leastPixels: Int) throws -> Outcome {
    try file.withUnsafeBytes { bytes in
      guard let header = ImageHeader.read(bytes), let stored = header.storedSize else {
        return .failure(.notAPicture)
      }
      let side = max(1, max(stored.width, stored.height) / 16)
      let placement = Placement(
        stored: stored, orientation: .up, target: try #require(PixelSize(width: side, height: side)), fit: .fit)
      do throws(DecodingError) {
        var decoder = JPEGDecoder(bytes)
        decoder.minimumPixelsForTables = leastPixels
        let picture = try decoder.decode(header, for: placement)
        let (width, height) = (picture.pixels.width, picture.pixels.height)
        let bytes = (0..<height).flatMap { UnsafeBufferPointer(start: picture.pixels.row($0), count: width * 4) }
        return .picture(size: [width, height], bytes: bytes, isDamaged: picture.isDamaged)
      } catch {
        return .failure(error)
      }
    }
  }

  @Test(
    "The pixels equal those of libjpeg for all samplings, odd sides, and restart markers",
    arguments: TestScale.seeds(1...6))
  func samePixels(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for (name, sides) in JPEGRowsTests.samplings {
      for restarts in [0, 1, 3, 40] {
        let (width, height) = (Int.random(in: 1...150, using: &random), Int.random(in: 1...150, using: &random))
        let file = JPEGRowsTests.randomFile(sides, width: width, height: height, restarts: restarts, seed: seed)
        for first in [0, height / 20] {
          let reference = rows(file, after: first, skipsCodes: false)
          guard case .picture(_, _, false) = reference else {
            Issue.record("\(name), \(width) x \(height), \(restarts): libjpeg gives \(reference)")
            continue
          }
          let own = rows(file, after: first, skipsCodes: true)
          #expect(own == reference, "\(name), \(width) x \(height), \(restarts)")
        }
      }
    }
  }

  @Test("Photographs are decoded with the same result, by skipping codes")
  func photographs() throws {
    let file = try JPEGFixture.file(.landscape(width: 333, height: 241), quality: 92)
    let reference = rows(file, after: 0, skipsCodes: false)
    #expect(rows(file, after: 0, skipsCodes: true) == reference)
    #expect(try result(file, leastPixels: 0) == result(file, leastPixels: .max))
  }

  @Test("Files that are truncated at any length are left to libjpeg")
  func prefixes() throws {
    let file = JPEGRowsTests.randomFile([(2, 2), (1, 1), (1, 1)], width: 40, height: 40, restarts: 2, seed: 3)
    let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
    let first = scan + 2 + Int(file[scan + 3])
    var pictures = 0
    for count in first..<file.count {
      let cut = Array(file.prefix(count))
      let reference = try result(cut, leastPixels: .max)
      #expect(try result(cut, leastPixels: 0) == reference)
      if case .picture(_, _, let isDamaged) = reference {
        pictures += 1
        #expect(isDamaged)
      }
      // Only the last prefixes contain all units without the end marker.
      if count < file.count - 4 { #expect(rows(cut, after: 0, skipsCodes: true) == .unusual) }
    }
    #expect(pictures > 50)
  }

  @Test("Files with random changes give the result of libjpeg", arguments: TestScale.seeds(1...8))
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var outcomes: Set<String> = []
    for (_, sides) in JPEGRowsTests.samplings {
      let restarts = seed.isMultiple(of: 2) ? 3 : 0
      let file = JPEGRowsTests.randomFile(sides, width: 70, height: 52, restarts: restarts, seed: seed)
      for _ in 0..<60 {
        var changed = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: 2..<changed.count, using: &random)
          switch Int.random(in: 0..<10, using: &random) {
          case 0: changed.remove(at: index)
          case 1: changed.insert(UInt8.random(in: 0...255, using: &random), at: index)
          case 2: changed.replaceSubrange(index..<min(changed.count, index + 2), with: [0xFF, 0xD0])
          case 3: changed.removeSubrange(index..<changed.count)
          default: changed[index] = UInt8.random(in: 0...255, using: &random)
          }
          if changed.count < 4 { changed = file }
        }
        let reference = try result(changed, leastPixels: .max)
        #expect(try result(changed, leastPixels: 0) == reference)
        switch rows(changed, after: 0, skipsCodes: true) {
        case .picture: outcomes.insert("picture")
        case .failure: outcomes.insert("failure")
        case .unusual: outcomes.insert("unusual")
        }
      }
    }
    // All three outcomes occur.
    #expect(outcomes.count == 3)
  }

  @Test("The seeds of the fuzzer, and the files that it found, give the result of libjpeg", arguments: try seedFiles)
  func seeds(file: [UInt8]) throws {
    let reference = rows(file, after: 0, skipsCodes: false)
    let own = rows(file, after: 0, skipsCodes: true)
    #expect(own == .unusual || own == reference)
    #expect(try result(file, leastPixels: 0) == result(file, leastPixels: .max))
  }

  @Test("Other kinds of files are left to libjpeg, with the same result")
  func otherKinds() throws {
    let file = try JPEGFixture.progressive(.landscape(width: 333, height: 241))
    #expect(try result(file, leastPixels: 0) == result(file, leastPixels: .max))
  }

  @Test("The interruption is queried between rows")
  func interruption() throws {
    let file = JPEGRowsTests.randomFile([(2, 2), (1, 1), (1, 1)], width: 400, height: 400, restarts: 0, seed: 1)
    let header = try #require(file.withUnsafeBytes { ImageHeader.read($0) })
    let target = try #require(PixelSize(width: 20, height: 20))
    let placement = Placement(stored: try #require(header.storedSize), orientation: .up, target: target, fit: .fit)
    file.withUnsafeBytes { bytes in
      var decoder = JPEGDecoder(bytes, interruption: DecodingInterruption { true })
      decoder.minimumPixelsForTables = 0
      #expect(throws: DecodingError.interrupted) { _ = try decoder.decode(header, for: placement) }
    }
  }
}

// MARK: - Random files

/// Writes baseline JPEG files of random coefficients and codes, with any sampling and with restart markers.
private struct RandomJPEGWriter {
  /// A component: its number of blocks per unit in both directions, and the index of its code tables, 0 or 1.
  struct Component {
    var horizontal = 1
    var vertical = 1
    var table = 0
  }

  var width: Int
  var height: Int
  var components: [Component]
  /// The number of units between restart markers, or 0 for no markers.
  var restartInterval = 0
  /// The inverse of the probability that a coefficient is not zero.
  var sparsity = 8

  private var random: SeededGenerator
  private var bits = EntropyBits()
  /// The codes by symbol, in two tables for DC coefficients and two for AC coefficients.
  private var dcCodes: [[(code: Int, length: Int)]] = []
  private var acCodes: [[(code: Int, length: Int)]] = []

  /// The number of codes per length in the tables of the standard (ITU-T T.81, K.3), some of them with 16 bits.
  private static let dcCodeCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
  private static let acCodeCounts = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D]
  private static let maximumSize = 10

  init(width: Int, height: Int, components: [Component], seed: UInt64) {
    self.width = width
    self.height = height
    self.components = components
    random = SeededGenerator(seed: seed)
  }

  /// Returns a file of random coefficients.
  mutating func file() -> [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8]
    let quantization = (0..<64).map { _ in UInt8.random(in: 1...24, using: &random) }
    file += segment(0xDB, [0] + quantization)
    let frame = [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
    let samplings: [UInt8] = components.enumerated().flatMap { index, component in
      [UInt8(index + 1), UInt8(component.horizontal << 4 | component.vertical), 0] as [UInt8]
    }
    file += segment(0xC0, frame + [UInt8(components.count)] + samplings)
    dcCodes = []
    acCodes = []
    for table in 0..<2 {
      file += codes(RandomJPEGWriter.dcCodeCounts, symbols: (0..<12).map { $0 }, class: 0, table: table, to: \.dcCodes)
      let sizes = (0..<16).flatMap { run in (1...10).map { run << 4 | $0 } }
      file += codes(RandomJPEGWriter.acCodeCounts, symbols: sizes + [0, 0xF0], class: 1, table: table, to: \.acCodes)
    }
    if restartInterval > 0 { file += segment(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 255)]) }
    let selectors: [UInt8] = components.enumerated().flatMap { index, component in
      [UInt8(index + 1), UInt8(component.table * 0x11)] as [UInt8]
    }
    file += segment(0xDA, [UInt8(components.count)] + selectors + [0, 63, 0])
    bits = EntropyBits()
    writeUnits()
    return file + bits.bytes + [0xFF, 0xD9]
  }

  private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
  }

  /// Returns the segment of a table whose symbols are shuffled among the code lengths, and stores its codes.
  private mutating func codes(
    _ counts: [Int], symbols: [Int], class group: UInt8, table: Int,
    to storage: WritableKeyPath<RandomJPEGWriter, [[(code: Int, length: Int)]]>
  ) -> [UInt8] {
    let shuffled = symbols.shuffled(using: &random)
    var entries = Array(repeating: (code: 0, length: 0), count: 256)
    var code = 0
    var index = 0
    for (length, count) in counts.enumerated() {
      for _ in 0..<count {
        entries[shuffled[index]] = (code, length + 1)
        code += 1
        index += 1
      }
      code <<= 1
    }
    self[keyPath: storage].append(entries)
    return segment(0xC4, [group << 4 | UInt8(table)] + counts.map { UInt8($0) } + shuffled.map { UInt8($0) })
  }

  private mutating func writeUnits() {
    // An image of one component has one block per unit with any sampling.
    let isAlone = components.count == 1
    let maximum = (components.map(\.horizontal).max() ?? 1, components.map(\.vertical).max() ?? 1)
    let side = isAlone ? (8, 8) : (8 * maximum.0, 8 * maximum.1)
    let units = ((width + side.0 - 1) / side.0) * ((height + side.1 - 1) / side.1)
    var predictions = Array(repeating: 0, count: components.count)
    for unit in 0..<units {
      if restartInterval > 0, unit > 0, unit.isMultiple(of: restartInterval) {
        bits.restart(unit / restartInterval - 1)
        predictions = Array(repeating: 0, count: components.count)
      }
      for (index, component) in components.enumerated() {
        for _ in 0..<(isAlone ? 1 : component.horizontal * component.vertical) {
          let mean = Int.random(in: -250...250, using: &random)
          write(mean - predictions[index], after: 0, dcCodes[component.table])
          predictions[index] = mean
          writeACCoefficients(acCodes[component.table])
        }
      }
    }
    bits.pad()
  }

  private mutating func writeACCoefficients(_ codes: [(code: Int, length: Int)]) {
    // Some blocks are full, and some are empty.
    let chance = random.chance(oneIn: 9) ? 1 : random.chance(oneIn: 3) ? 200 : sparsity
    var run = 0
    for _ in 1..<64 {
      guard random.chance(oneIn: chance) else {
        run += 1
        continue
      }
      while run > 15 {
        bits.append(codes[0xF0].code, count: codes[0xF0].length)
        run -= 16
      }
      let size = Int.random(in: 1...(random.chance(oneIn: 4) ? RandomJPEGWriter.maximumSize : 2), using: &random)
      let number = Int.random(in: 1 << (size - 1)..<1 << size, using: &random)
      write(random.chance(oneIn: 2) ? number : -number, after: run, codes)
      run = 0
    }
    if run > 0 { bits.append(codes[0].code, count: codes[0].length) }
  }

  private mutating func write(_ number: Int, after run: Int, _ codes: [(code: Int, length: Int)]) {
    let size = Int.bitWidth - abs(number).leadingZeroBitCount
    let code = codes[run << 4 | size]
    bits.append(code.code, count: code.length)
    bits.append(number < 0 ? number + (1 << size) - 1 : number, count: size)
  }
}
