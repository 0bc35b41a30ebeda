import Glibc
import Testing

/// The collection of pictures beside the repository, where there is one; nothing of it is part of this repository.
enum Corpus {
  /// What is expected of a file.
  enum Verdict: String {
    case ok
    case error
    case either
    case bomb
  }

  /// One file.
  struct Entry {
    var path: String
    var format: String
    var verdict: Verdict
    var width: Int
    var height: Int
    var orientation: Int
    var bytes: Int

    /// Whether the manifest's word does not count.
    var isException: Bool {
      Corpus.exceptions.contains { path.hasSuffix("/" + $0) }
        || verdict == .error && Corpus.beyondOthers.contains { path.contains($0) }
    }

    /// Whether there is a decoder for its format.
    var isDecodedHere: Bool { ["jpeg", "png", "webp", "gif", "bmp", "tiff", "avif", "heif", "qoi"].contains(format) }
  }

  /// Files of which the manifest says what cannot be, and why.
  static let exceptions = [
    // A row more than 65,535 is past the longest side of all.
    "image-rs+image-tiff/tests/images/big_g4.tif",
    // The fault lies in chunks that have nothing to do with the pixels, which are all there.
    "pnggroup+libpng/contrib/testpngs/crashers/empty_ancillary_chunks.png",
  ]

  /// Kinds of samples that those who wrote the manifest had no decoder for, and that are shown here.
  static let beyondOthers = ["image-rs+image-tiff/tests/", "image-rs+image/tests/", "/reftest/images/lossless/"]

  /// Whether it is there.
  static var isThere: Bool { access(folder + "/MANIFEST.tsv", R_OK) == 0 }

  /// All files, in the manifest's order.
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

  /// A file's bytes.
  static func contents(_ entry: Entry) throws -> [UInt8] { try contents(entry.path) }

  private static func contents(_ path: String) throws -> [UInt8] {
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

  /// Beside the package's folder, which is four above this file.
  private static let folder: String = {
    let parts = #filePath.split(separator: "/").dropLast(5)
    return "/" + parts.joined(separator: "/") + "/shared/images"
  }()
}
