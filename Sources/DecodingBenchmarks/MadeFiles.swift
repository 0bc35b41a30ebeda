import BenchmarkSupport
import DataStructures
import Geometry
import Glibc
import ImageDecoding

/// A folder of made-up pictures and their list, for those who have no other: whole, cut off, changed at random, giants that
/// hold nothing, and what is no picture at all.
final class MadeFiles {
  /// The folder.
  let folder: String
  private var names: [String] = []

  private static let changedCount = 300
  private static let cutCount = 60

  /// Makes the folder and its files.
  ///
  /// The C function is `mkdtemp`.
  ///
  /// - Throws: `CommandError` where the system does not let us.
  init() throws {
    var template = Array("/tmp/vitrine-hostile.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CommandError("no folder could be made in /tmp") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var lines = ["path\tformat\texpected\twidth\theight\torientation"]
    for (name, format, verdict, size, bytes) in try MadeFiles.files() {
      try write(bytes, to: name)
      lines.append("\(name)\t\(format)\t\(verdict.rawValue)\t\(size.0)\t\(size.1)\t1")
    }
    try write(Array(lines.joined(separator: "\n").utf8), to: "MANIFEST.tsv")
  }

  /// The C functions are `unlink` and `rmdir`.
  deinit {
    for name in names { unlink(folder + "/" + name) }
    rmdir(folder)
  }

  private typealias File = (
    name: String, format: String, verdict: PictureExpectation.Verdict, size: (Int, Int), bytes: [UInt8]
  )

  private static func files() throws -> [File] {
    let whole = try photograph(width: 640, height: 480)
    let none = (0, 0)
    var files: [File] = [
      ("whole.jpg", "jpeg", .ok, (640, 480), whole), ("empty.jpg", "jpeg", .error, none, []),
      ("text.jpg", "jpeg", .error, none, Array("<!DOCTYPE html>".utf8)),
      ("giant.png", "png", .bomb, none, giant(side: 0x7FFF_FFFF)),
      ("large.png", "png", .error, none, giant(side: 65_000)),
      ("noughts.png", "png", .error, none, [UInt8](repeating: 0, count: 4096)),
    ]
    for index in 0..<cutCount {
      files.append(("cut-\(index).jpg", "jpeg", .either, none, Array(whole.prefix(whole.count * index / cutCount))))
    }
    var random = SplitMix64(seed: 1)
    for index in 0..<changedCount {
      var changed = whole
      for _ in 0..<1 + index % 8 {
        // As a rule among the first bytes, which say what the others are.
        let end = index.isMultiple(of: 3) ? changed.count : 700
        changed[Int(random.next() % UInt64(end))] = UInt8(truncatingIfNeeded: random.next())
      }
      files.append(("changed-\(index).jpg", "jpeg", .either, none, changed))
    }
    return files
  }

  /// A JPEG of slopes.
  private static func photograph(width: Int, height: Int) throws -> [UInt8] {
    guard let size = PixelSize(width: width, height: height) else { throw CommandError("no size") }
    let pixels = (0..<width * height).flatMap { place -> [UInt8] in
      let (x, y) = (place % width, place / width)
      return [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x * y) & 255), 255]
    }
    return try pixels.withUnsafeBytes { bytes in
      try JPEGEncoder.encode(bytes, size: size, quality: 90) { Array($0) }
    }
  }

  /// A PNG that declares a size and ends.
  private static func giant(side: UInt32) -> [UInt8] {
    let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) }
    return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + number + number
      + [8, 2, 0, 0, 0, 0, 0, 0, 0]
  }

  /// The C functions are `open`, `write` and `close`.
  private func write(_ bytes: [UInt8], to name: String) throws {
    let descriptor = open(folder + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandError("\(folder)/\(name): cannot be written") }
    defer { close(descriptor) }
    names.append(name)
    guard bytes.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
      throw CommandError("\(folder)/\(name): cannot be written")
    }
  }
}
