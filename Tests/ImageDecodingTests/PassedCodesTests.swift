import Foundation
import Geometry
import ImageMetadata
import Rendering
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("JPEG codes that are passed over")
struct PassedCodesTests {
  private typealias Component = CoefficientJPEG.Component

  /// What a way of reading made of a file.
  private enum Outcome: Hashable {
    case picture(size: [Int], bytes: [UInt8], isDamaged: Bool)
    case failure(DecodingError)
    /// It is to be read anew, by libjpeg.
    case unusual
  }

  /// Samplings by their usual names: grey, 4:4:4, 4:2:2, 4:2:0, 4:4:0, 4:1:1, and one that nobody writes.
  private static let samplings: [(name: String, sides: [(Int, Int)])] = [
    ("grey", [(1, 1)]), ("grey, 2 x 2", [(2, 2)]), ("4:4:4", [(1, 1), (1, 1), (1, 1)]),
    ("4:2:2", [(2, 1), (1, 1), (1, 1)]), ("4:2:0", [(2, 2), (1, 1), (1, 1)]), ("4:4:0", [(1, 2), (1, 1), (1, 1)]),
    ("4:1:1", [(4, 1), (1, 1), (1, 1)]), ("odd", [(2, 2), (2, 1), (1, 2)]),
    ("inks", [(1, 1), (1, 1), (1, 1), (1, 1)]),
  ]

  private static func made(_ sides: [(Int, Int)], width: Int, height: Int, restarts: Int, seed: Int) -> [UInt8] {
    let components = sides.enumerated().map {
      Component(across: $0.element.0, down: $0.element.1, table: min(1, $0.offset))
    }
    var writer = CoefficientJPEG(width: width, height: height, components: components, seed: UInt64(seed))
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

  /// The rows at an eighth, without what the decoder does around them; the first of them passed over.
  private func rows(_ file: [UInt8], after first: Int, passesOverCodes: Bool) -> Outcome {
    file.withUnsafeBytes { bytes in
      do throws(DecodingError) {
        let reader = try JPEGRows(bytes)
        _ = try reader.frame()
        let size = try reader.begin(eighths: 1, keptSide: 8, passesOverCodes: passesOverCodes)
        var pixels = [UInt8](repeating: 0, count: size.width * 4 * (size.height + JPEGRows.rowsAtOnce))
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

  /// The decoder's answer at an eighth.
  private func answer(_ file: [UInt8], leastPixels: Int) throws -> Outcome {
    try file.withUnsafeBytes { bytes in
      guard let header = ImageHeader.read(bytes), let stored = header.storedSize else {
        return .failure(.notAPicture)
      }
      let side = max(1, max(stored.width, stored.height) / 16)
      let placement = Placement(
        stored: stored, orientation: .up, target: try #require(PixelSize(width: side, height: side)), fit: .fit)
      do throws(DecodingError) {
        var decoder = JPEGDecoder(bytes)
        decoder.leastPixelsForTables = leastPixels
        let picture = try decoder.decode(header, for: placement)
        let (width, height) = (picture.pixels.width, picture.pixels.height)
        let bytes = (0..<height).flatMap { UnsafeBufferPointer(start: picture.pixels.row($0), count: width * 4) }
        return .picture(size: [width, height], bytes: bytes, isDamaged: picture.isDamaged)
      } catch {
        return .failure(error)
      }
    }
  }

  @Test("The pixels are libjpeg's, of every sampling, odd sides, and restart markers", arguments: 1...6)
  func samePixels(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for (name, sides) in PassedCodesTests.samplings {
      for restarts in [0, 1, 3, 40] {
        let (width, height) = (Int.random(in: 1...150, using: &random), Int.random(in: 1...150, using: &random))
        let file = PassedCodesTests.made(sides, width: width, height: height, restarts: restarts, seed: seed)
        for first in [0, height / 20] {
          let reference = rows(file, after: first, passesOverCodes: false)
          guard case .picture(_, _, false) = reference else {
            Issue.record("\(name), \(width) x \(height), \(restarts): libjpeg says \(reference)")
            continue
          }
          let own = rows(file, after: first, passesOverCodes: true)
          #expect(own == reference, "\(name), \(width) x \(height), \(restarts)")
        }
      }
    }
  }

  @Test("Photographs come out the same, and are read by it")
  func photographs() throws {
    let file = try JPEGFixture.file(.landscape(width: 333, height: 241), quality: 92)
    let reference = rows(file, after: 0, passesOverCodes: false)
    #expect(rows(file, after: 0, passesOverCodes: true) == reference)
    #expect(try answer(file, leastPixels: 0) == answer(file, leastPixels: .max))
  }

  @Test("What is cut off or faulty is left to libjpeg, at every place")
  func prefixes() throws {
    let file = PassedCodesTests.made([(2, 2), (1, 1), (1, 1)], width: 40, height: 40, restarts: 2, seed: 3)
    let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
    let first = scan + 2 + Int(file[scan + 3])
    var pictures = 0
    for count in first..<file.count {
      let cut = Array(file.prefix(count))
      let reference = try answer(cut, leastPixels: .max)
      #expect(try answer(cut, leastPixels: 0) == reference)
      if case .picture(_, _, let isDamaged) = reference {
        pictures += 1
        #expect(isDamaged)
      }
      // All units but the end's marker are there only in the last of them.
      if count < file.count - 4 { #expect(rows(cut, after: 0, passesOverCodes: true) == .unusual) }
    }
    #expect(pictures > 50)
  }

  @Test("Bytes changed at random get libjpeg's answer", arguments: 1...8)
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var outcomes: Set<String> = []
    for (_, sides) in PassedCodesTests.samplings {
      let restarts = seed.isMultiple(of: 2) ? 3 : 0
      let file = PassedCodesTests.made(sides, width: 70, height: 52, restarts: restarts, seed: seed)
      for _ in 0..<60 {
        var changed = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 2..<changed.count, using: &random)
          switch Int.random(in: 0..<10, using: &random) {
          case 0: changed.remove(at: place)
          case 1: changed.insert(UInt8.random(in: 0...255, using: &random), at: place)
          case 2: changed.replaceSubrange(place..<min(changed.count, place + 2), with: [0xFF, 0xD0])
          case 3: changed.removeSubrange(place..<changed.count)
          default: changed[place] = UInt8.random(in: 0...255, using: &random)
          }
          if changed.count < 4 { changed = file }
        }
        let reference = try answer(changed, leastPixels: .max)
        #expect(try answer(changed, leastPixels: 0) == reference)
        switch rows(changed, after: 0, passesOverCodes: true) {
        case .picture: outcomes.insert("picture")
        case .failure: outcomes.insert("failure")
        case .unusual: outcomes.insert("unusual")
        }
      }
    }
    // All three ways are taken.
    #expect(outcomes.count == 3)
  }

  @Test("What the fuzzer begins with, and what it found, comes out the same", arguments: try seedFiles)
  func seeds(file: [UInt8]) throws {
    let reference = rows(file, after: 0, passesOverCodes: false)
    let own = rows(file, after: 0, passesOverCodes: true)
    #expect(own == .unusual || own == reference)
    #expect(try answer(file, leastPixels: 0) == answer(file, leastPixels: .max))
  }

  @Test("Other kinds of files are left to libjpeg, which reads them as before")
  func otherKinds() throws {
    let file = try JPEGFixture.progressive(.landscape(width: 333, height: 241))
    #expect(try answer(file, leastPixels: 0) == answer(file, leastPixels: .max))
  }

  @Test("It is asked between rows whether the picture is still wanted")
  func interruption() throws {
    let file = PassedCodesTests.made([(2, 2), (1, 1), (1, 1)], width: 400, height: 400, restarts: 0, seed: 1)
    let header = try #require(file.withUnsafeBytes { ImageHeader.read($0) })
    let target = try #require(PixelSize(width: 20, height: 20))
    let placement = Placement(stored: try #require(header.storedSize), orientation: .up, target: target, fit: .fit)
    file.withUnsafeBytes { bytes in
      var decoder = JPEGDecoder(bytes, interruption: DecodingInterruption { true })
      decoder.leastPixelsForTables = 0
      #expect(throws: DecodingError.interrupted) { _ = try decoder.decode(header, for: placement) }
    }
  }
}
