import FoundationEssentials
package import VitrineReadingProtocol

/// A reader of lists of pictures, whose bytes arrive in parts.
///
/// The format is JSON: `{"items": [{"id", "url", "title", "width", "height", "date", "likes"}]}`.
///
/// Entries are delivered in batches while the list is read. Some kilobytes of entries are decoded at a time.
package struct ListReader {
  /// The number of entries of the first batch, about one screen, and of later ones.
  private static let (firstBatch, laterBatch) = (64, 256)
  /// The number of bytes after which a batch is decoded, however few entries it has.
  private static let batchBytes = 1 << 16

  private let maximumEntries: Int
  private var scanner = ListScanner()
  /// The entries that are not decoded yet, with their commas and the first bracket.
  private var text: [UInt8] = []
  private var waiting = 0
  private var batchSize = ListReader.firstBatch
  private var readCount = 0
  private var end = ListEnd()
  private var isBroken = false

  /// Creates a reader.
  ///
  /// - Parameter maximumEntries: The maximum number of entries; further ones are only counted.
  package init(maximumEntries: Int = ListEntry.maximumCount) { self.maximumEntries = maximumEntries }

  /// Whether bytes that follow make no difference.
  package var isStopped: Bool { isBroken || scanner.isStopped }

  /// Reads the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - onBatch: A closure called with the next entries.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, onBatch: (ListBatch) -> Void) {
    // By itself, as the closure changes the reader.
    var scanner = ListScanner()
    swap(&scanner, &self.scanner)
    scanner.scan(bytes) { entry in
      guard !isBroken else { return }
      guard readCount < maximumEntries else {
        end.surplus += 1
        return
      }
      readCount += 1
      text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
      text += entry
      waiting += 1
      if waiting == batchSize || text.count >= ListReader.batchBytes { decode(onBatch) }
    }
    self.scanner = scanner
  }

  /// Reads the end of the list.
  ///
  /// - Parameter onBatch: A closure called with the last entries.
  /// - Returns: How the list ends.
  package mutating func finish(onBatch: (ListBatch) -> Void) -> ListEnd {
    if !isBroken { decode(onBatch) }
    end.ending = isBroken ? .notJSON : scanner.ending
    end.tooLong = scanner.tooLongCount
    return end
  }

  private mutating func decode(_ onBatch: (ListBatch) -> Void) {
    defer {
      text.removeAll(keepingCapacity: true)
      waiting = 0
      batchSize = ListReader.laterBatch
    }
    guard waiting > 0 else { return }
    text.append(UInt8(ascii: "]"))
    if let entries = try? JSONDecoder().decode([DecodableEntry].self, from: Data(text)) {
      deliver(entries, onBatch)
      return
    }
    // One of them is no JSON. Those before it are.
    var valid: [DecodableEntry] = []
    var scanner = ListScanner()
    (Array("{\"items\":".utf8) + text).withUnsafeBytes { bytes in
      scanner.scan(bytes) { entry in
        guard !isBroken else { return }
        do {
          valid += try JSONDecoder().decode(
            [DecodableEntry].self, from: Data([UInt8(ascii: "[")] + entry + [UInt8(ascii: "]")]))
        } catch {
          isBroken = true
        }
      }
    }
    isBroken = true
    deliver(valid, onBatch)
  }

  private mutating func deliver(_ decoded: [DecodableEntry], _ onBatch: (ListBatch) -> Void) {
    var (batch, count) = (ListBatch([]), 0)
    for entry in decoded {
      guard entry.isObject else {
        end.notObjects += 1
        continue
      }
      // A packet has a limit.
      if count + entry.fields.byteCount > ReadingLaunch.maximumPacketBytes - 64 {
        onBatch(batch)
        (batch, count) = (ListBatch([]), 0)
      }
      batch.entries.append(entry.fields)
      count += entry.fields.byteCount
    }
    if !batch.entries.isEmpty { onBatch(batch) }
  }
}

/// An entry of a list, with the fields that are valid.
private struct DecodableEntry: Decodable {
  private enum Key: CodingKey { case id, url, title, width, height, date, likes }

  /// Whether the entry is a JSON object.
  private(set) var isObject = false
  private(set) var fields = ListEntry()

  init(from decoder: any Decoder) {
    guard let container = try? decoder.container(keyedBy: Key.self) else { return }
    isObject = true
    func text(_ key: Key) -> String? { try? container.decode(String.self, forKey: key) }
    func shortText(_ key: Key) -> String? {
      text(key).flatMap { $0.utf8.count <= ListEntry.maximumTextBytes ? $0 : nil }
    }
    func number(_ key: Key) -> Int? {
      if let number = try? container.decode(Int.self, forKey: key) { return number }
      return (try? container.decode(Double.self, forKey: key)).flatMap { Int(exactly: $0) }
    }
    func isThere(_ key: Key) -> Bool { container.contains(key) && (try? container.decodeNil(forKey: key)) == false }
    func side(_ key: Key) -> UInt16? { number(key).flatMap { UInt16(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil } }
    fields.address = shortText(.url)
    fields.id = shortText(.id) ?? number(.id).map(String.init)
    fields.title = text(.title).map(DecodableEntry.truncatedTitle)
    if isThere(.width) || isThere(.height) {
      if let width = side(.width), let height = side(.height) {
        (fields.width, fields.height) = (width, height)
      } else {
        fields.flaws.insert(.size)
      }
    }
    if isThere(.date) {
      fields.date = text(.date).flatMap(ListDate.seconds) ?? number(.date).flatMap(ListDate.seconds)
      if fields.date == nil { fields.flaws.insert(.date) }
    }
    if isThere(.likes) {
      fields.likes = number(.likes).flatMap { $0 >= 0 ? Int64($0) : nil }
      if fields.likes == nil { fields.flaws.insert(.likes) }
    }
  }

  /// Returns the first characters of a title that is too long, or the first scalars if its first character is too long.
  private static func truncatedTitle(_ title: String) -> String {
    guard title.utf8.count > ListEntry.maximumTitleBytes else { return title }
    var count = 0
    let characters = title.prefix { character in
      count += character.utf8.count
      return count <= ListEntry.maximumTitleBytes
    }
    guard characters.isEmpty else { return String(characters) }
    count = 0
    return String(
      title.unicodeScalars.prefix { scalar in
        count += UTF8.width(scalar)
        return count <= ListEntry.maximumTitleBytes
      })
  }
}
