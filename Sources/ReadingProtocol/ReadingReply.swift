import VitrineGeometry
package import VitrineImageMetadata

/// The last packet that answers a request to a reading process.
///
/// The client must not trust it: values are checked when it is parsed, and texts are cut.
package enum ReadingReply: Hashable, Sendable {
  /// What was read.
  case contents(ReadingContents)
  /// The file cannot be read, with an error number.
  case unreadable(Int32)
  /// The file is not what was asked for: not a picture, not a PNG file, or not a list.
  case notRecognized
  /// A list ends, with how it ends and what was left out.
  case listEnd(ListEnd)

  /// Returns the packet.
  ///
  /// - Parameter id: The number of the request.
  package func bytes(id: UInt32) -> [UInt8] {
    var writer = PacketWriter()
    writer.append(id)
    switch self {
    case .contents(let contents):
      writer.append(Kind.contents.rawValue)
      contents.write(to: &writer)
    case .unreadable(let code):
      writer.append(Kind.unreadable.rawValue)
      writer.append(code)
    case .notRecognized: writer.append(Kind.notRecognized.rawValue)
    case .listEnd(let end):
      writer.append(Kind.listEnd.rawValue)
      end.write(to: &writer)
    }
    return writer.bytes
  }

  /// Parses a packet, or returns nil if it is invalid.
  ///
  /// - Parameters:
  ///   - bytes: The packet.
  ///   - id: The number of the request.
  package init?(_ bytes: UnsafeRawBufferPointer, id: UInt32) {
    var reader = PacketReader(bytes)
    guard reader.number(UInt32.self) == id, let kind = reader.number(UInt8.self).flatMap(Kind.init(rawValue:)) else {
      return nil
    }
    switch kind {
    case .contents:
      guard let contents = ReadingContents(&reader) else { return nil }
      self = .contents(contents)
    case .unreadable:
      guard let code = reader.number(Int32.self), code > 0 else { return nil }
      self = .unreadable(code)
    case .notRecognized: self = .notRecognized
    case .listEnd:
      guard let end = ListEnd(&reader) else { return nil }
      self = .listEnd(end)
    case .listBatch: return nil
    }
    guard reader.isAtEnd else { return nil }
  }

  /// Parses a packet, or returns nil if it is invalid or no answer to a request.
  ///
  /// - Parameters:
  ///   - bytes: The packet.
  ///   - request: The request.
  package init?(_ bytes: UnsafeRawBufferPointer, answering request: ReadingRequest) {
    self.init(bytes, id: request.id)
    switch self {
    case .unreadable: break
    case .notRecognized: if request.operation == .list { return nil }
    case .listEnd: if request.operation != .list { return nil }
    case .contents(let contents): if !contents.isAnswer(to: request) { return nil }
    }
  }

  /// The first byte of a packet after the number of the request.
  enum Kind: UInt8 {
    case contents = 1
    case unreadable = 2
    case notRecognized = 3
    case listEnd = 4
    case listBatch = 5
  }
}

/// What a reading process has read of one file.
package struct ReadingContents: Hashable, Sendable {
  /// The header of a picture, or nil if texts were asked for.
  package var header: ImageHeader?
  /// The settings of the camera, or nil if the file states none, or they were not asked for.
  package var settings: CaptureSettings?
  /// The size and the texts of a PNG file, or nil if a header was asked for.
  package var texts: PNGDescription?

  /// Creates contents.
  package init(header: ImageHeader? = nil, settings: CaptureSettings? = nil, texts: PNGDescription? = nil) {
    self.header = header
    self.settings = settings
    self.texts = texts
  }

  /// Whether these are the parts that a request asks for, and the preview is within the file.
  fileprivate func isAnswer(to request: ReadingRequest) -> Bool {
    switch request.operation {
    case .header where settings != nil, .list: return false
    case .texts: return texts != nil && header == nil && settings == nil
    case .header, .photograph: break
    }
    guard let header, texts == nil else { return false }
    return UInt64(header.embeddedThumbnail?.upperBound ?? 0) <= request.fileBytes
  }

  fileprivate func write(to writer: inout PacketWriter) {
    writer.append(UInt8((header == nil ? 0 : 1) | (settings == nil ? 0 : 2) | (texts == nil ? 0 : 4)))
    header?.write(to: &writer)
    settings?.write(to: &writer)
    texts?.write(to: &writer)
  }

  fileprivate init?(_ reader: inout PacketReader) {
    guard let parts = reader.number(UInt8.self), parts & ~7 == 0 else { return nil }
    if parts & 1 != 0 {
      guard let header = ImageHeader(&reader) else { return nil }
      self.header = header
    }
    if parts & 2 != 0 {
      guard let settings = CaptureSettings(&reader) else { return nil }
      self.settings = settings
    }
    if parts & 4 != 0 {
      guard let texts = PNGDescription(&reader) else { return nil }
      self.texts = texts
    }
  }
}

// MARK: - Headers

extension ImageHeader {
  /// The capture times that a file can state: those of years with at most four digits, and some more.
  private static let captureTimes = -(Int64(1) << 40)...Int64(1) << 40

  /// Writes all but the place of the EXIF data and the clean aperture, which only those need that read the file.
  fileprivate func write(to writer: inout PacketWriter) {
    writer.append(format.rawValue)
    writer.append(UInt8((isOversized ? 1 : 0) | (isIncomplete ? 2 : 0)))
    writer.append(orientation.rawValue)
    writer.append(UInt16(storedSize?.width ?? 0))
    writer.append(UInt16(storedSize?.height ?? 0))
    writer.append(optional: captureTime)
    writer.append(rating ?? 0)
    writer.append(location?.latitudeUnits ?? 0)
    writer.append(location?.longitudeUnits ?? 0)
    writer.append(UInt64(embeddedThumbnail?.lowerBound ?? 0))
    writer.append(UInt64(embeddedThumbnail?.count ?? 0))
    writer.append(camera)
  }

  fileprivate init?(_ reader: inout PacketReader) {
    guard let format = reader.number(UInt8.self).flatMap({ ImageFormat(rawValue: $0) }),
      let flags = reader.number(UInt8.self), flags & ~3 == 0,
      let orientation = reader.number(UInt8.self).flatMap(Orientation.init(rawValue:)),
      let width = reader.number(UInt16.self), let height = reader.number(UInt16.self),
      let captureTime = reader.optionalNumber(Int64.self), let rating = reader.number(UInt8.self), rating <= 5,
      let latitude = reader.number(Int32.self), let longitude = reader.number(Int32.self),
      let start = reader.number(UInt64.self).flatMap({ Int(exactly: $0) }),
      let count = reader.number(UInt64.self).flatMap({ Int(exactly: $0) }), start <= Int.max - count,
      let camera = reader.optionalString()
    else { return nil }
    self.init(
      format: format, storedSize: PixelSize(width: Int(width), height: Int(height)), isOversized: flags & 1 != 0,
      orientation: orientation,
      captureTime: captureTime.flatMap { ImageHeader.captureTimes.contains($0) ? $0 : nil },
      embeddedThumbnail: count == 0 ? nil : start..<start + count)
    isIncomplete = flags & 2 != 0
    self.rating = rating == 0 ? nil : rating
    location = GeographicLocation(latitudeUnits: latitude, longitudeUnits: longitude)
    self.camera = camera.map { $0.truncated() }
  }
}

extension CaptureSettings {
  /// The numbers that a file can state: fractions of two 32-bit numbers.
  private static let numbers = 1 / 0x1p32...0x1p32

  fileprivate func write(to writer: inout PacketWriter) {
    for number in [exposureTime, aperture, focalLength] { writer.append(optional: number?.bitPattern) }
    for number in [sensitivity, focalLengthIn35mmFilm] { writer.append(optional: number.map { Int64($0) }) }
    writer.append(lens)
  }

  fileprivate init?(_ reader: inout PacketReader) {
    self.init()
    guard let exposure = reader.optionalNumber(UInt64.self), let fNumber = reader.optionalNumber(UInt64.self),
      let length = reader.optionalNumber(UInt64.self), let speed = reader.optionalNumber(Int64.self),
      let filmLength = reader.optionalNumber(Int64.self), let lens = reader.optionalString()
    else { return nil }
    func positive(_ bits: UInt64?) -> Double? {
      bits.map(Double.init(bitPattern:)).flatMap { CaptureSettings.numbers.contains($0) ? $0 : nil }
    }
    exposureTime = positive(exposure)
    aperture = positive(fNumber)
    focalLength = positive(length)
    sensitivity = speed.flatMap { (1...1 << 32).contains($0) ? Int($0) : nil }
    focalLengthIn35mmFilm = filmLength.flatMap { (1...1 << 32).contains($0) ? Int($0) : nil }
    self.lens = lens.map { $0.truncated() }
  }
}

extension String {
  /// Returns the first scalars of a name, which take at most 512 bytes.
  fileprivate func truncated() -> String {
    var count = 0
    return String(
      String.UnicodeScalarView(
        unicodeScalars.prefix { scalar in
          count += UTF8.width(scalar)
          return count <= 512
        }))
  }
}

extension PNGDescription {
  fileprivate func write(to writer: inout PacketWriter) {
    writer.append(UInt16(size.width))
    writer.append(UInt16(size.height))
    writer.append(UInt16(texts.count))
    for text in texts {
      writer.append(bytes: text.keyword.utf8)
      writer.append(bytes: text.value.utf8)
    }
  }

  fileprivate init?(_ reader: inout PacketReader) {
    guard let width = reader.number(UInt16.self), let height = reader.number(UInt16.self),
      let size = PixelSize(width: Int(width), height: Int(height)), let count = reader.number(UInt16.self)
    else { return nil }
    var texts: [Text] = []
    for _ in 0..<count {
      guard let keyword = reader.text(), let value = reader.text() else { return nil }
      texts.append(
        Text(keyword: String(decoding: keyword, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }
    self.init(size: size, texts: texts)
  }
}
