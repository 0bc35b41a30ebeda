import VitrineGeometry
package import VitrineImageMetadata
import VitrineReadingProtocol

/// What is known about the photographs of one folder, as it is stored between runs.
package struct FolderRecord: Hashable, Sendable {
  /// A photograph of the folder.
  package struct Entry: Hashable, Sendable {
    /// The bytes of the file's name.
    var name: [UInt8]
    /// The identity of the file, including its version.
    var identity: FileIdentity
    /// The header, or nil if the photograph cannot be shown.
    var header: ImageHeader?
    /// Why the photograph cannot be shown, or nil if there is a header.
    var failure: PhotoFailure?

    /// Creates an entry.
    package init(
      name: [UInt8], identity: FileIdentity, header: ImageHeader? = nil, failure: PhotoFailure? = nil
    ) {
      (self.name, self.identity, self.header, self.failure) = (name, identity, header, failure)
    }
  }

  /// The absolute path of the folder.
  var folder: PhotoPath
  /// The photographs in the folder itself, in their order.
  var entries: [Entry]
  /// The file system that contains the folder, or 0 if it is unknown.
  ///
  /// It is stored apart from the entries.
  var fileSystem: UInt64

  /// Creates a record.
  package init(folder: PhotoPath, entries: [Entry], fileSystem: UInt64 = 0) {
    (self.folder, self.entries, self.fileSystem) = (folder, entries, fileSystem)
  }
}

// MARK: - Encoding

extension FolderRecord {
  /// The entries as bytes.
  ///
  /// Numbers are in little-endian order. The cameras come first, each once. A name of more than 255 bytes, which the
  /// reader of headers never returns, is left out.
  package var encodedEntries: [UInt8] {
    var cameras: [String] = []
    var numbers: [String: UInt16] = [:]
    for case let camera? in entries.lazy.map(\.header?.camera)
    where numbers[camera] == nil && cameras.count < 0xFFFF && camera.utf8.count <= StoredEntries.maximumCameraBytes {
      cameras.append(camera)
      numbers[camera] = UInt16(cameras.count)
    }
    var writer = PacketWriter()
    writer.append(UInt16(cameras.count))
    for camera in cameras { writer.append(bytes: camera.utf8) }
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
      writer.append((header.rating ?? 0) | (header.location == nil ? 0 : StoredEntries.locationFlag))
      writer.append(UInt16(header.storedSize?.width ?? 0))
      writer.append(UInt16(header.storedSize?.height ?? 0))
      writer.append(header.camera.flatMap { numbers[$0] } ?? 0)
      writer.append(UInt64(bitPattern: header.captureTime ?? .min))
      let thumbnail = header.embeddedThumbnail ?? 0..<0
      writer.append(UInt64(thumbnail.lowerBound))
      writer.append(UInt32(clamping: thumbnail.count))
      if let location = header.location {
        writer.append(location.latitudeUnits)
        writer.append(location.longitudeUnits)
      }
    }
    return writer.bytes
  }

  /// Creates a record from encoded entries, or returns nil if they are damaged.
  package init?(folder: PhotoPath, encodedEntries bytes: UnsafeRawBufferPointer) {
    guard var stored = StoredEntries(bytes) else { return nil }
    self.init(folder: folder, entries: [])
    while let next = stored.next() {
      var header = next.header
      header?.camera = next.camera == 0 ? nil : stored.cameras[next.camera - 1]
      entries.append(Entry(name: Array(next.name), identity: next.identity, header: header, failure: next.failure))
    }
    guard stored.isAtEnd else { return nil }
  }
}

/// The encoded entries of a folder's record, which are read one by one without copying them.
struct StoredEntries {
  /// An entry, valid as long as the encoded bytes.
  struct Entry {
    /// The bytes of the file's name.
    let name: UnsafeRawBufferPointer
    /// The identity of the file, including its version.
    let identity: FileIdentity
    /// The header without its camera, or nil if the photograph cannot be shown.
    var header: ImageHeader?
    /// The number of the camera, from 1, or 0 if there is none.
    var camera = 0
    /// Why the photograph cannot be shown, or nil if there is a header.
    let failure: PhotoFailure?
  }

  /// The cameras of the entries, each once.
  private(set) var cameras: [String] = []
  private var reader: PacketReader
  /// The maximum number of bytes of the name of a camera.
  fileprivate static let maximumCameraBytes = 255
  /// The bit of the byte with the rating that tells whether there is a location.
  fileprivate static let locationFlag: UInt8 = 0x80
  /// The capture times that a file can state: those of years with at most four digits, and some more.
  private static let times = -(Int64(1) << 40)...Int64(1) << 40

  /// Starts to read, or returns nil if the cameras are damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    reader = PacketReader(bytes)
    guard let cameraCount = reader.number(UInt16.self) else { return nil }
    for _ in 0..<cameraCount {
      guard let bytes = reader.text(), bytes.count <= StoredEntries.maximumCameraBytes,
        let camera = String(validating: bytes, as: UTF8.self)
      else { return nil }
      cameras.append(camera)
    }
  }

  /// Whether all entries have been read, and none of them is damaged.
  var isAtEnd: Bool { reader.isAtEnd }

  /// Returns the next entry, or nil at the end or if it is damaged.
  mutating func next() -> Entry? {
    var reader = reader
    guard let entry = readEntry(&reader) else { return nil }
    self.reader = reader
    return entry
  }

  private func readEntry(_ reader: inout PacketReader) -> Entry? {
    guard let name = reader.text(), (1...NameArena.maximumNameBytes).contains(name.count),
      name.allSatisfy({ $0 != PhotoPath.slash && $0 != 0 }),
      let device = reader.number(UInt64.self), let inode = reader.number(UInt64.self),
      let byteCount = reader.number(UInt64.self), byteCount <= UInt64(Int64.max),
      let modified = reader.number(UInt64.self),
      let failureCode = reader.number(UInt8.self), let formatCode = reader.number(UInt8.self)
    else { return nil }
    let identity = FileIdentity(
      device: device, inode: inode, byteCount: Int64(bitPattern: byteCount),
      modificationNanoseconds: Int64(bitPattern: modified))
    var entry = Entry(name: name, identity: identity, failure: PhotoFailure(rawValue: failureCode))
    guard formatCode != .max else { return entry }
    guard let format = ImageFormat(rawValue: formatCode), let state = reader.number(UInt8.self),
      let rating = reader.number(UInt8.self), let width = reader.number(UInt16.self),
      let height = reader.number(UInt16.self), let camera = reader.number(UInt16.self), camera <= cameras.count,
      let time = reader.number(UInt64.self), let start = reader.number(UInt64.self).flatMap({ Int(exactly: $0) }),
      let count = reader.number(UInt32.self), start <= Int.max - Int(count)
    else { return nil }
    let captureTime = Int64(bitPattern: time)
    var header = ImageHeader(
      format: format, storedSize: PixelSize(width: Int(width), height: Int(height)), isOversized: state & 0x80 != 0,
      orientation: Orientation(rawValue: state & 0xF) ?? .up,
      captureTime: StoredEntries.times.contains(captureTime) ? captureTime : nil,
      embeddedThumbnail: count == 0 ? nil : start..<start + Int(count))
    header.isIncomplete = state & 0x40 != 0
    let stars = rating & ~StoredEntries.locationFlag
    header.rating = (1...5).contains(stars) ? stars : nil
    if rating & StoredEntries.locationFlag != 0 {
      guard let latitude = reader.number(Int32.self), let longitude = reader.number(Int32.self) else { return nil }
      header.location = GeographicLocation(latitudeUnits: latitude, longitudeUnits: longitude)
    }
    (entry.header, entry.camera) = (header, Int(camera))
    return entry
  }
}
