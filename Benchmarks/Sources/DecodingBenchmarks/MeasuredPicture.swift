import BenchmarkSupport
import Glibc
import VitrineDataStructures
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata

/// An image file for the measurement of decoding.
struct MeasuredPicture {
  let path: String
  let header: ImageHeader
  let size: PixelSize
  let kind: PictureKind

  /// The file name.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The size, in megapixels.
  var megapixels: Double { Double(size.area) / 1e6 }

  /// Reads the header of a file, or returns nil if the file is not an image.
  init?(path: String) {
    guard let bytes = FileContents(path: path), let header = ImageHeader.read(bytes.bytes), let size = header.size
    else { return nil }
    self.path = path
    self.header = header
    self.size = size
    kind = MeasuredPicture.kind(of: bytes.bytes, header)
  }

  private static func kind(of bytes: UnsafeRawBufferPointer, _ header: ImageHeader) -> PictureKind {
    switch header.format {
    case .jpeg: FrameMarker.isProgressive(bytes) ? .progressive : .baseline
    case .png: .png
    case .webp: bytes.count > 16 && bytes[12..<16].elementsEqual("VP8L".utf8) ? .other : .webP
    case .avif: .avif
    case .heic: header.embeddedThumbnail == nil ? .heic : .heicWithPreview
    default: .other
    }
  }

  /// Returns the images of a folder, sorted by name.
  ///
  /// Uses `opendir`, `readdir` and `closedir`.
  ///
  /// - Throws: `CommandError` if the folder cannot be read or contains no images.
  static func all(in folder: String) throws(CommandError) -> [MeasuredPicture] {
    guard let stream = opendir(folder) else { throw CommandError("\(folder): cannot be read") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    let pictures = names.sorted().compactMap { MeasuredPicture(path: folder + "/" + $0) }
    if pictures.isEmpty { throw CommandError("\(folder): holds no pictures") }
    return pictures
  }
}

/// The contents of a file in memory.
final class FileContents {
  /// The bytes, valid during the lifetime of this object.
  let bytes: UnsafeRawBufferPointer
  private let memory: UnsafeMutableRawPointer

  /// Reads a file, or returns nil if it cannot be read completely.
  ///
  /// Uses `open`, `fstat`, `malloc` and `pread`.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let memory = malloc(max(1, Int(status.st_size)))
    else { return nil }
    self.memory = memory
    let count = pread(descriptor, memory, Int(status.st_size), 0)
    bytes = UnsafeRawBufferPointer(start: memory, count: max(0, count))
    if count < Int(status.st_size) { return nil }
  }

  deinit { free(memory) }
}

/// A temporary folder of synthetic images with their list: valid, truncated and randomly corrupted images, headers that
/// declare huge sizes, and files that are not images.
final class SyntheticFiles {
  /// The path of the folder.
  let folder: String
  private var names: [String] = []

  private static let changedCount = 300
  private static let cutCount = 60

  /// Creates the folder and its files.
  ///
  /// Uses `mkdtemp`.
  ///
  /// - Throws: `CommandError` if the folder or a file cannot be created.
  init() throws {
    var template = Array("/tmp/vitrine-hostile.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CommandError("no folder could be made in /tmp") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var lines = ["path\tformat\texpected\twidth\theight\torientation"]
    for (name, format, verdict, size, bytes) in try SyntheticFiles.files() {
      try write(bytes, to: name)
      lines.append("\(name)\t\(format)\t\(verdict.rawValue)\t\(size.0)\t\(size.1)\t1")
    }
    try write(Array(lines.joined(separator: "\n").utf8), to: "MANIFEST.tsv")
  }

  /// Uses `unlink` and `rmdir`.
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
        // Mostly among the first bytes, which describe the others.
        let end = index.isMultiple(of: 3) ? changed.count : 700
        changed[Int(random.next() % UInt64(end))] = UInt8(truncatingIfNeeded: random.next())
      }
      files.append(("changed-\(index).jpg", "jpeg", .either, none, changed))
    }
    return files
  }

  /// Returns a JPEG of gradients.
  private static func photograph(width: Int, height: Int) throws -> [UInt8] {
    guard let size = PixelSize(width: width, height: height) else { throw CommandError("no size") }
    let pixels = (0..<width * height).flatMap { index -> [UInt8] in
      let (x, y) = (index % width, index / width)
      return [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x * y) & 255), 255]
    }
    return try pixels.withUnsafeBytes { bytes in
      try JPEGEncoder.encode(bytes, size: size, quality: 90) { Array($0) }
    }
  }

  /// Returns a PNG that declares a size and has no data.
  private static func giant(side: UInt32) -> [UInt8] {
    let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) }
    return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + number + number
      + [8, 2, 0, 0, 0, 0, 0, 0, 0]
  }

  /// Uses `open`, `write` and `close`.
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
