import Geometry
import ImageMetadata

/// What is known about the photographs of one folder, as it is stored between runs.
struct FolderRecord: Hashable, Sendable {
  /// A photograph of the folder.
  struct Entry: Hashable, Sendable {
    /// The bytes of the file's name.
    var name: [UInt8]
    /// The identity of the file, including its version.
    var identity: FileIdentity
    /// The header, or nil if the photograph cannot be shown.
    var header: ImageHeader?
    /// Why the photograph cannot be shown, or nil if there is a header.
    var failure: PhotoFailure?
  }

  /// The absolute path of the folder.
  var folder: PhotoPath
  /// The photographs in the folder itself, in their order.
  var entries: [Entry]
}

// MARK: - Encoding

extension FolderRecord {
  /// The entries as bytes.
  ///
  /// Numbers are in little-endian order. The cameras come first, each once.
  var encodedEntries: [UInt8] {
    var cameras: [String] = []
    var numbers: [String: UInt16] = [:]
    for case let camera? in entries.lazy.map(\.header?.camera) where numbers[camera] == nil && cameras.count < 0xFFFF {
      cameras.append(camera)
      numbers[camera] = UInt16(cameras.count)
    }
    var writer = RecordWriter()
    writer.append(UInt16(cameras.count))
    for camera in cameras { writer.append(bytes: Array(camera.utf8.prefix(255))) }
    for entry in entries {
      writer.append(bytes: entry.name)
      writer.append(entry.identity.device)
      writer.append(entry.identity.inode)
      writer.append(UInt64(bitPattern: entry.identity.byteCount))
      writer.append(UInt64(bitPattern: entry.identity.modificationNanoseconds))
      writer.append(entry.failure?.rawValue ?? 0)
      guard let header = entry.header else {
        writer.append(UInt8.max)
        continue
      }
      writer.append(header.format.rawValue)
      writer.append(header.orientation.rawValue | (header.isOversized ? 0x80 : 0) | (header.isIncomplete ? 0x40 : 0))
      writer.append(header.rating ?? 0)
      writer.append(UInt16(header.storedSize?.width ?? 0))
      writer.append(UInt16(header.storedSize?.height ?? 0))
      writer.append(header.camera.flatMap { numbers[$0] } ?? 0)
      writer.append(UInt64(bitPattern: header.captureTime ?? .min))
      let thumbnail = header.embeddedThumbnail ?? 0..<0
      writer.append(UInt64(thumbnail.lowerBound))
      writer.append(UInt32(clamping: thumbnail.count))
    }
    return writer.bytes
  }

  /// Creates a record from encoded entries, or returns nil if they are damaged.
  init?(folder: PhotoPath, encodedEntries bytes: UnsafeRawBufferPointer) {
    self.folder = folder
    entries = []
    var reader = RecordReader(bytes)
    guard let cameraCount = reader.number(UInt16.self) else { return nil }
    var cameras: [String] = []
    for _ in 0..<cameraCount {
      guard let camera = reader.bytes() else { return nil }
      cameras.append(String(decoding: camera, as: UTF8.self))
    }
    while !reader.isAtEnd {
      guard let entry = FolderRecord.readEntry(&reader, cameras) else { return nil }
      entries.append(entry)
    }
  }

  /// The capture times that a file can state: those of years with at most four digits, and some more.
  private static let times = -(Int64(1) << 40)...Int64(1) << 40

  private static func readEntry(_ reader: inout RecordReader, _ cameras: [String]) -> Entry? {
    guard let name = reader.bytes(), (1...NameArena.maximumNameBytes).contains(name.count),
      !name.contains(PhotoPath.slash), !name.contains(0),
      let device = reader.number(UInt64.self), let inode = reader.number(UInt64.self),
      let byteCount = reader.number(UInt64.self), byteCount <= UInt64(Int64.max),
      let modified = reader.number(UInt64.self),
      let failureCode = reader.number(UInt8.self), let formatCode = reader.number(UInt8.self)
    else { return nil }
    let identity = FileIdentity(
      device: device, inode: inode, byteCount: Int64(bitPattern: byteCount),
      modificationNanoseconds: Int64(bitPattern: modified))
    let failure = PhotoFailure(rawValue: failureCode)
    guard formatCode != .max else { return Entry(name: Array(name), identity: identity, failure: failure) }
    guard let format = ImageFormat(rawValue: formatCode), let state = reader.number(UInt8.self),
      let rating = reader.number(UInt8.self), let width = reader.number(UInt16.self),
      let height = reader.number(UInt16.self), let camera = reader.number(UInt16.self), camera <= cameras.count,
      let time = reader.number(UInt64.self), let start = reader.number(UInt64.self).flatMap({ Int(exactly: $0) }),
      let count = reader.number(UInt32.self), start <= Int.max - Int(count)
    else { return nil }
    var header = ImageHeader(
      format: format, storedSize: PixelSize(width: Int(width), height: Int(height)), isOversized: state & 0x80 != 0,
      orientation: Orientation(rawValue: state & 0xF) ?? .up,
      captureTime: times.contains(Int64(bitPattern: time)) ? Int64(bitPattern: time) : nil,
      embeddedThumbnail: count == 0 ? nil : start..<start + Int(count))
    header.isIncomplete = state & 0x40 != 0
    header.camera = camera == 0 ? nil : cameras[Int(camera) - 1]
    header.rating = (1...5).contains(rating) ? rating : nil
    return Entry(name: Array(name), identity: identity, header: header, failure: failure)
  }
}

/// A writer of numbers and byte strings.
private struct RecordWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends the length in two bytes, and the bytes.
  mutating func append(bytes text: [UInt8]) {
    append(UInt16(text.count))
    bytes += text
  }
}

/// A reader of what ``RecordWriter`` wrote, which may be damaged.
private struct RecordReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let count = MemoryLayout<Number>.size
    guard rest.count >= count else { return nil }
    let number = UnsafeRawBufferPointer(rebasing: rest.prefix(count)).loadUnaligned(as: Number.self)
    rest = rest.dropFirst(count)
    return Number(littleEndian: number)
  }

  mutating func bytes() -> Slice<UnsafeRawBufferPointer>? {
    guard let count = number(UInt16.self), rest.count >= Int(count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }
}
