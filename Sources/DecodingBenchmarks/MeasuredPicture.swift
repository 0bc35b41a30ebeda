import BenchmarkSupport
import Geometry
import Glibc
import ImageMetadata

/// A picture file that decoding is measured with.
struct MeasuredPicture {
  let path: String
  let header: ImageHeader
  let size: PixelSize
  let kind: PictureKind

  /// The name in its folder.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Its millions of pixels.
  var megapixels: Double { Double(size.area) / 1e6 }

  /// Looks at a file; nothing where it is no picture.
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

  /// The pictures of a folder, by name.
  ///
  /// The C functions are `opendir`, `readdir` and `closedir`.
  ///
  /// - Throws: `CommandError` where it cannot be read or holds none.
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
