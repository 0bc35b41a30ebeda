/// Some entries of a list of pictures, in the order of the list.
package struct ListBatch: Hashable, Sendable {
  /// The entries.
  package var entries: [ListEntry]

  /// Creates a batch.
  package init(_ entries: [ListEntry]) { self.entries = entries }

  /// Returns the packet.
  ///
  /// - Parameter id: The number of the request.
  package func bytes(id: UInt32) -> [UInt8] {
    var writer = PacketWriter()
    writer.append(id)
    writer.append(ReadingReply.Kind.listBatch.rawValue)
    writer.append(UInt16(entries.count))
    for entry in entries { entry.write(to: &writer) }
    return writer.bytes
  }

  /// Parses a packet, or returns nil if it is invalid, not a batch, or empty.
  ///
  /// - Parameters:
  ///   - bytes: The packet.
  ///   - id: The number of the request.
  package init?(_ bytes: UnsafeRawBufferPointer, id: UInt32) {
    var reader = PacketReader(bytes)
    guard reader.number(UInt32.self) == id, reader.number(UInt8.self) == ReadingReply.Kind.listBatch.rawValue,
      let count = reader.number(UInt16.self), count > 0
    else { return nil }
    entries = []
    for _ in 0..<count {
      guard let entry = ListEntry(&reader) else { return nil }
      entries.append(entry)
    }
    guard reader.isAtEnd else { return nil }
  }
}

/// An entry of a list of pictures, with the fields that it has and that have the right type.
package struct ListEntry: Hashable, Sendable {
  /// The flaws of an entry that a reading process finds.
  package struct Flaws: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Width and height are not those of a picture.
    package static let size = Flaws(rawValue: 1)
    /// The date is invalid.
    package static let date = Flaws(rawValue: 2)
    /// The number of likes is invalid.
    package static let likes = Flaws(rawValue: 4)
  }

  /// The maximum number of entries of a list.
  package static let maximumCount = 1_000_000
  /// The maximum length of an identifier and of an address, in bytes; longer ones count as missing.
  package static let maximumTextBytes = 8_192
  /// The maximum length of a title, in bytes.
  ///
  /// Longer titles are truncated.
  package static let maximumTitleBytes = 1_024
  /// The dates that an entry can have: the first second of the year 0 to the last second of the year 9999.
  package static let dates: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// The identifier, or nil.
  package var id: String?
  /// The address as it is in the list, or nil.
  package var address: String?
  /// The title, or nil.
  package var title: String?
  /// The width in pixels, or nil.
  package var width: UInt16?
  /// The height in pixels, or nil.
  package var height: UInt16?
  /// The date in seconds since 1970, or nil.
  package var date: Int64?
  /// The number of likes, or nil.
  package var likes: Int64?
  /// The flaws.
  package var flaws: Flaws = []

  /// Creates an entry without fields.
  package init() {}

  /// The length of the entry in a packet, in bytes.
  package var byteCount: Int {
    64 + (id?.utf8.count ?? 0) + (address?.utf8.count ?? 0) + (title?.utf8.count ?? 0)
  }

  fileprivate func write(to writer: inout PacketWriter) {
    writer.append(id)
    writer.append(address)
    writer.append(title)
    writer.append(optional: width)
    writer.append(optional: height)
    writer.append(optional: date)
    writer.append(optional: likes)
    writer.append(flaws.rawValue)
  }

  fileprivate init?(_ reader: inout PacketReader) {
    guard let id = reader.optionalString(), let address = reader.optionalString(), let title = reader.optionalString(),
      let width = reader.optionalNumber(UInt16.self), let height = reader.optionalNumber(UInt16.self),
      let date = reader.optionalNumber(Int64.self), let likes = reader.optionalNumber(Int64.self), likes ?? 0 >= 0,
      let flaws = reader.number(UInt8.self),
      max(id?.utf8.count ?? 0, address?.utf8.count ?? 0) <= ListEntry.maximumTextBytes,
      title?.utf8.count ?? 0 <= ListEntry.maximumTitleBytes, width != 0, height != 0,
      date.map(ListEntry.dates.contains) ?? true
    else { return nil }
    (self.id, self.address, self.title) = (id, address, title)
    (self.width, self.height, self.date, self.likes) = (width, height, date, likes)
    self.flaws = Flaws(rawValue: flaws & 7)
  }
}

/// How a list ends, and what was left out of it.
package struct ListEnd: Hashable, Sendable {
  /// How a list ends.
  package enum Ending: UInt8, CaseIterable, Sendable {
    /// With its last byte.
    case complete = 0
    /// The bytes are not JSON from some place on; the entries before it were read.
    case notJSON = 1
    /// The JSON is not an object with an array `items`.
    case noItems = 2
  }

  /// How the list ends.
  package var ending = Ending.complete
  /// The number of entries that are not JSON objects.
  package var notObjects = 0
  /// The number of entries that are longer than the maximum.
  package var tooLong = 0
  /// The number of entries beyond the maximum number.
  package var surplus = 0

  /// Creates the end of a complete list.
  package init(_ ending: Ending = .complete) { self.ending = ending }

  func write(to writer: inout PacketWriter) {
    writer.append(ending.rawValue)
    for count in [notObjects, tooLong, surplus] { writer.append(Int64(count)) }
  }

  init?(_ reader: inout PacketReader) {
    guard let ending = reader.number(UInt8.self).flatMap(Ending.init(rawValue:)),
      let notObjects = reader.number(Int64.self), let tooLong = reader.number(Int64.self),
      let surplus = reader.number(Int64.self), min(notObjects, tooLong, surplus) >= 0,
      max(notObjects, tooLong, surplus) <= 1 << 40
    else { return nil }
    self.ending = ending
    (self.notObjects, self.tooLong, self.surplus) = (Int(notObjects), Int(tooLong), Int(surplus))
  }
}
