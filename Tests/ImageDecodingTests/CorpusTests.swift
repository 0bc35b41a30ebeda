import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
import VitrineTestSupport

@Suite(
  "Unusual and hostile images of public test suites",
  .enabled(if: Corpus.isAvailable, "SKIPPED: there is no ../shared/images beside the package")
)
struct CorpusTests {
  @Test("Every file gets a reply, with the result that the manifest states")
  func everyFile() throws {
    var process = try DecodingProcess()
    var good = 0
    var deaths = 0
    let entries = try Corpus.entries()
    // In a short run every third file: `scripts/hostile` and long runs decode all of them.
    for index in stride(from: 0, to: entries.count, by: TestScale.count(1, short: 3)) {
      let entry = entries[index]
      let descriptor = open(entry.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      guard let reply = try process.decode(descriptor, fileBytes: entry.bytes, width: 40, height: 40, fit: .fit)
      else {
        deaths += 1
        Issue.record("\(entry.path) ended the decoding process: \(String(describing: process.wait()))")
        process = try DecodingProcess()
        continue
      }
      #expect(Int(reply.byteCount) == (reply.status == .ok ? Int(reply.width * reply.height * 4) : 0))
      guard !entry.isException else { continue }
      switch (entry.isDecodedHere, entry.verdict) {
      case (true, .ok):
        good += 1
        #expect(reply.status == .ok, "\(entry.path)")
        #expect(Int(reply.sourceWidth) == entry.width && Int(reply.sourceHeight) == entry.height, "\(entry.path)")
        #expect(Int(reply.orientation) == entry.orientation, "\(entry.path)")
      case (true, .error): #expect(reply.status != .ok || reply.isDamaged, "\(entry.path)")
      case (true, .bomb): #expect(reply.status == .tooLarge, "\(entry.path)")
      case (true, .either): break
      case (false, _): #expect(reply.status != .ok, "\(entry.path)")
      }
    }
    #expect(deaths == 0)
    #expect(good > TestScale.count(940, short: 290))
  }

  @Test("The headers of all files are read without decoding")
  func headers() throws {
    for entry in try Corpus.entries() where entry.isDecodedHere && entry.verdict == .ok && !entry.isException {
      let bytes = try Corpus.contents(entry)
      var reads = 0
      let header = ImageHeader.read(fileBytes: bytes.count) { offset, count in
        reads += 1
        return Array(bytes[offset..<offset + count])
      }
      #expect(header?.size == PixelSize(width: entry.width, height: entry.height), "\(entry.path)")
      #expect(header?.orientation.rawValue == UInt8(entry.orientation), "\(entry.path)")
      #expect(reads <= 20, "\(entry.path)")
    }
  }
}

// MARK: - Corpus

/// The collection of images next to the repository, if it exists.
///
/// No part of it belongs to this repository.
enum Corpus {
  /// The expected result of a file.
  enum Verdict: String {
    case ok
    case error
    case either
    case bomb
  }

  /// A file of the collection.
  struct Entry {
    var path: String
    var format: String
    var verdict: Verdict
    var width: Int
    var height: Int
    var orientation: Int
    var bytes: Int

    /// Whether the verdict of the manifest does not apply.
    var isException: Bool {
      Corpus.exceptions.contains { path.hasSuffix("/" + $0) }
        || verdict == .error && Corpus.beyondOthers.contains { path.contains($0) }
    }

    /// Whether its format has a decoder.
    ///
    /// The manifest names formats by a file name extension.
    var isDecodedHere: Bool {
      ImageFormat.table.contains { $0.decoding != .none && $0.fileExtensions.contains(format) }
    }
  }

  /// Files with an impossible verdict in the manifest.
  static let exceptions = [
    // One more row than 65,535, the maximum side.
    "image-rs+image-tiff/tests/images/big_g4.tif",
    // The defect is in chunks that do not affect the pixels, which are complete.
    "pnggroup+libpng/contrib/testpngs/crashers/empty_ancillary_chunks.png",
  ]

  /// Files with samples that the authors of the manifest could not decode, and that are decoded here.
  static let beyondOthers = ["image-rs+image-tiff/tests/", "image-rs+image/tests/", "/reftest/images/lossless/"]

  /// Whether the collection exists.
  static var isAvailable: Bool { access(folder + "/MANIFEST.tsv", R_OK) == 0 }

  /// Returns all files in the order of the manifest.
  static func entries() throws -> [Entry] {
    let text = String(decoding: try contents(folder + "/MANIFEST.tsv"), as: UTF8.self)
    return try text.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(fields.count >= 8)
      return Entry(
        path: folder + "/" + fields[0], format: String(fields[1]),
        verdict: try #require(Verdict(rawValue: String(fields[2]))),
        width: Int(fields[3]) ?? 0, height: Int(fields[4]) ?? 0, orientation: Int(fields[5]) ?? 1,
        bytes: Int(fields[7]) ?? 0)
    }
  }

  /// Returns the bytes of a file.
  static func contents(_ entry: Entry) throws -> [UInt8] { try contents(entry.path) }

  /// Returns the bytes of a file.
  static func contents(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    try #require(count == bytes.count)
    return bytes
  }

  /// The folder next to that of the package, which is three levels above this file.
  static let folder: String = {
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/") + "/shared/images"
  }()
}
