import Foundation
import Testing
import VitrineTestSupport

@testable import VitrineImageMetadata

@Suite("One table has an entry for each image format")
struct ImageFormatTableTests {
  @Test("Entries are in the order of the formats, which fit the bits of a decoding process's reply")
  func order() {
    #expect(ImageFormat.table.map(\.format) == ImageFormat.allCases)
    for format in ImageFormat.allCases {
      #expect(format.entry.format == format && format.rawValue < 32)
    }
  }

  @Test("Names, extensions and MIME types belong to one format each")
  func uniqueness() {
    let table = ImageFormat.table
    for values in [table.map(\.name), table.flatMap(\.fileExtensions), table.flatMap(\.mimeTypes)] {
      #expect(Set(values).count == values.count, "\(values)")
    }
    for entry in table {
      #expect(!entry.signatures.isEmpty && !entry.mimeTypes.isEmpty, "\(entry.name)")
      // A format that is decoded has a size, by which it is limited.
      #expect(entry.decoding == .none || !entry.fileExtensions.isEmpty, "\(entry.name)")
      #expect(entry.fileExtensions.allSatisfy { $0.wholeMatch(of: /[a-z0-9]{2,5}/) != nil }, "\(entry.name)")
      #expect(entry.mimeTypes.allSatisfy { $0.wholeMatch(of: /image\/[a-z0-9.+-]+/) != nil }, "\(entry.name)")
      #expect(entry.decoding != .none || !entry.recordsDamage, "\(entry.name)")
    }
  }

  @Test("No file matches signatures of two formats, except that brands are tried in the order of the table")
  func signatures() {
    /// Returns the bytes that a signature requires, by offset.
    func bytes(_ signature: ImageSignature) -> [Int: UInt8] {
      var bytes: [Int: UInt8] = [:]
      for piece in signature.pieces {
        for (index, byte) in piece.bytes.enumerated() { bytes[piece.offset + index] = byte }
      }
      return bytes
    }
    for (index, entry) in ImageFormat.table.enumerated() {
      for signature in entry.signatures {
        let own = bytes(signature)
        #expect(own.count >= 2 && own.keys.allSatisfy { (0..<ImageFormat.magicByteCount).contains($0) })
        for other in ImageFormat.table[(index + 1)...] {
          for otherSignature in other.signatures {
            let isExcluded = bytes(otherSignature).contains {
              own[$0.key].map { [byte = $0.value] in $0 != byte } ?? false
            }
            let haveBrands = !signature.brands.isEmpty && !otherSignature.brands.isEmpty
            #expect(isExcluded || haveBrands, "\(entry.name) and \(other.name)")
            #expect(Set(signature.brands).isDisjoint(with: otherSignature.brands), "\(entry.name) and \(other.name)")
          }
        }
      }
    }
  }

  @Test("AVIF takes precedence over HEIC, in whatever order a file has their brands")
  func brands() {
    for brands in [["mif1", "avif"], ["avif", "mif1"], ["heic", "mif1", "avis"]] {
      let file = HeaderFixture.isoBaseMedia(brands)
      #expect(ImageFormat(magic: Array(file.prefix(ImageFormat.magicByteCount))) == .avif)
    }
  }
}

// MARK: - Detection

@Suite("The table detects what conditions in the code detected")
struct ImageFormatDetectionTests {
  /// The formats that the conditions know.
  ///
  /// Formats that were added later are not compared.
  private static let known: Set<ImageFormat> = [
    .jpeg, .png, .webp, .gif, .bmp, .tiff, .avif, .heic, .qoi, .jpegXL, .jpeg2000, .photoshop, .icon,
  ]

  /// Detects a format by conditions, written without the table.
  private func format(_ magic: [UInt8]) -> ImageFormat? {
    func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { magic.dropFirst(offset).starts(with: bytes) }
    func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }
    if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if has("\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) }) { return .png }
    if has("RIFF"), has("WEBP", at: 8) { return .webp }
    if has("GIF87a") || has("GIF89a") { return .gif }
    if has("II*\0") || has("II+\0") || has("MM\0*") || has("MM\0+") { return .tiff }
    if has("qoif") { return .qoi }
    if has([0xFF, 0x0A]) || has([0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0A]) { return .jpegXL }
    if has("BM"), has([0, 0, 0], at: 15), [12, 16, 40, 52, 56, 64, 108, 124].contains(magic[14]) { return .bmp }
    if has([0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A]) || has([0xFF, 0x4F, 0xFF, 0x51]) {
      return .jpeg2000
    }
    if has("8BPS") { return .photoshop }
    if magic.count >= 22, has([0, 0, 1, 0]) || has([0, 0, 2, 0]), magic[5] == 0, magic[9] == 0 {
      let offset = (0..<4).reduce(0) { $0 | Int(magic[18 + $1]) << (8 * $1) }
      if magic[4] > 0, offset >= 6 + 16 * Int(magic[4]), offset < 1 << 24 { return .icon }
    }
    guard has([0, 0]), has("ftyp", at: 4), magic.count >= 12 else { return nil }
    let end = min(magic.count, Int(magic[2]) << 8 | Int(magic[3]))
    let starts = [8] + Array(stride(from: 16, through: max(16, end - 4), by: 4))
    let brands = starts.filter { $0 + 4 <= end }.map { String(decoding: magic[$0..<$0 + 4], as: UTF8.self) }
    if brands.contains("avif") || brands.contains("avis") { return .avif }
    let others = ["heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs", "mif1", "msf1", "mif2"]
    return brands.contains(where: others.contains) ? .heic : nil
  }

  private func compare(_ magic: [UInt8], _ comment: String) {
    let detected = ImageFormat(magic: magic)
    guard detected.map(ImageFormatDetectionTests.known.contains) ?? true else { return }
    #expect(detected == format(magic), "\(comment): \(magic)")
  }

  @Test("In changed and shortened first bytes of every format", arguments: 1...4)
  func changedFiles(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for (format, file) in ImageFormatTests.examples {
      let magic = Array((file + [UInt8](repeating: 0, count: 64)).prefix(ImageFormat.magicByteCount))
      for count in 0...magic.count { compare(Array(magic.prefix(count)), format.name) }
      for _ in 0..<TestScale.count(2000, short: 300) {
        var changed = magic
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          changed[Int.random(in: 0..<24, using: &random)] =
            [
              0, 1, 2, 12, 24, 32, 40, UInt8.random(in: 0...255, using: &random),
            ].randomElement(using: &random) ?? 0
        }
        compare(Array(changed.prefix(Int.random(in: 10...64, using: &random))), format.name)
      }
    }
  }

  /// The folder of unusual images next to that of the package, if it exists.
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/images").standardized

  @Test(
    "In a collection of unusual images",
    .enabled(
      if: FileManager.default.isReadableFile(atPath: corpus.appending(path: "MANIFEST.tsv").path),
      "SKIPPED: there is no ../shared/images beside the package"))
  func collection() throws {
    let manifest = try String(
      contentsOf: ImageFormatDetectionTests.corpus.appending(path: "MANIFEST.tsv"), encoding: .utf8)
    var counts: [ImageFormat: Int] = [:]
    for line in manifest.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let path = String(try #require(fields.first))
      let file = try FileHandle(forReadingFrom: ImageFormatDetectionTests.corpus.appending(path: path))
      let magic = Array(try file.read(upToCount: ImageFormat.magicByteCount) ?? Data())
      try file.close()
      compare(magic, path)
      let detected = ImageFormat(magic: magic)
      if let detected { counts[detected, default: 0] += 1 }
      // A valid file has the format that the manifest states by a file name extension.
      if fields[2] == "ok",
        let stated = ImageFormat.table.first(where: { $0.fileExtensions.contains(String(fields[1])) })
      {
        #expect(detected == stated.format, "\(path)")
      }
    }
    #expect(counts.values.reduce(0, +) > 2500 && counts.count >= 12, "\(counts)")
  }
}

// MARK: - Documents

@Suite("The desktop file and the documents list the formats of the table")
struct ImageFormatDocumentTests {
  /// Returns a file of the repository, with single spaces in place of white space.
  private func text(_ path: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../" + path).standardized
    return try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns a list in words of the names of formats, in the order of the table.
  private func list(_ isIncluded: (ImageFormatEntry) -> Bool) -> String {
    let names = ImageFormat.table.filter(isIncluded).map(\.name)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  private func expect(_ path: String, contains phrase: String) throws {
    #expect(try text(path).contains(phrase), "\(path) must contain: \(phrase)")
  }

  @Test("The desktop file has the MIME types of all decoded formats")
  func desktopFile() throws {
    let types = ImageFormat.table.filter { $0.decoding != .none }.flatMap(\.mimeTypes)
    try expect(
      "Resources/io.github.vitrine.Vitrine.desktop",
      contains: "MimeType=inode/directory;" + types.joined(separator: ";") + "; Keywords=")
  }

  @Test("The documents name the extensions, the decoded formats, those without a decoder, and the trusted ones")
  func documents() throws {
    let (decoded, others) = (list { $0.decoding != .none }, list { $0.decoding == .none })
    let trusted = list { $0.decoding == .anywhere }
    try expect("README.md", contains: "- \(decoded), with EXIF orientation")
    try expect("README.md", contains: "- \(others) files have no preview.")
    try expect("README.md", contains: "- Only \(trusted) are decoded where")
    try expect("Documentation/Limits.md", contains: "- \(others) files are recognised and have no preview.")
    try expect("Documentation/Limits.md", contains: "- Only \(trusted) are decoded where")
    try expect("Documentation/Decisions/0017-image-decoders.md", contains: "only \(trusted) are decoded")
    let gallery = "Documentation/Gallery.md"
    try expect(gallery, contains: "`\(ImageFormat.table.flatMap(\.fileExtensions).joined(separator: " "))`")
    try expect(gallery, contains: "- \(others) files are recognised")
    try expect(gallery, contains: "- \(trusted) are also decoded without a system call filter")
    try expect(gallery, contains: "- \(list { $0.decoding != .none && !$0.isReadByRows }) may have 32,767 pixels")
    let page = try text(gallery)
    let start = try #require(page.range(of: "| Format | Notes | |---|---| "))
    let end = try #require(page.range(of: "| - EXIF", range: start.upperBound..<page.endIndex))
    let rows = page[start.upperBound..<end.lowerBound].split(separator: "| |").compactMap {
      $0.split(separator: "|").first?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let names = ImageFormat.table.filter { $0.decoding != .none }.map(\.name)
    #expect(rows.joined().sorted() == names.sorted(), "the table of formats in \(gallery)")
  }
}
