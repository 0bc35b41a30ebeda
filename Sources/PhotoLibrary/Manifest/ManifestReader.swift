import FoundationEssentials
import VitrineGeometry
package import VitrineRemoteImages

/// A reader for lists of pictures.
///
/// The format is JSON: `{"items": [{"id", "url", "title", "width", "height", "date", "likes"}]}`. Only `url` is
/// required.
///
/// No input makes the reader trap. A flaw excludes the entry, or only the flawed field, and is counted.
package enum ManifestReader {
  /// The maximum length of a list, in bytes.
  package static let maximumBytes = 32 << 20
  /// The maximum length of a title, in bytes.
  ///
  /// Longer titles are truncated.
  static let maximumTitleBytes = 1_024

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - base: The address of the list, against which relative addresses are resolved. If nil, relative addresses are
  ///     invalid.
  ///   - isFromPublicServer: Whether the list comes from a server on the internet. Such a list may not name addresses
  ///     on this machine or its network.
  /// - Throws: ``ManifestError`` if the bytes are not a list.
  /// - Complexity: O(*n*) in the number of bytes, some milliseconds per thousand entries: too slow for the main thread.
  package static func read(
    _ bytes: [UInt8], base: RemoteURL? = nil, isFromPublicServer: Bool = false
  ) throws(ManifestError) -> Manifest {
    try read(bytes, base: base, isFromPublicServer: isFromPublicServer, maximumItems: Manifest.maximumItems)
  }

  /// Reads a list with at most the given number of entries.
  static func read(
    _ bytes: [UInt8], base: RemoteURL?, isFromPublicServer: Bool = false, maximumItems: Int
  ) throws(ManifestError) -> Manifest {
    guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    let document: ManifestDocument
    do {
      let decoder = JSONDecoder()
      if let key = ManifestDocument.maximumItemsKey { decoder.userInfo[key] = maximumItems }
      document = try decoder.decode(ManifestDocument.self, from: Data(bytes))
    } catch DecodingError.dataCorrupted {
      throw .notJSON
    } catch {
      throw .noItems
    }
    var flaws: [Manifest.Flaw: Int] = [:]
    var items: [ManifestItem] = []
    items.reserveCapacity(document.entries.count)
    var names: Set<String> = []
    if document.surplusCount > 0 { flaws[.tooMany] = document.surplusCount }
    for entry in document.entries {
      guard let entry else {
        flaws[.notAnObject, default: 0] += 1
        continue
      }
      guard let url = entry.address.flatMap({ text in base.map { $0.resolving(text) } ?? RemoteURL(text) }) else {
        flaws[.noAddress, default: 0] += 1
        continue
      }
      guard !isFromPublicServer || !url.isPrivate else {
        flaws[.privateAddress, default: 0] += 1
        continue
      }
      let id = entry.id ?? url.text
      guard names.insert(id).inserted else {
        flaws[.duplicate, default: 0] += 1
        continue
      }
      for flaw in entry.flaws { flaws[flaw, default: 0] += 1 }
      items.append(
        ManifestItem(
          id: id, url: url, title: title(entry.title, of: url), size: entry.size, captureTime: entry.captureTime,
          likes: entry.likes))
    }
    return Manifest(items: items, flaws: flaws)
  }

  /// Returns the title of an entry, or else the last path component of its address.
  private static func title(_ entryTitle: String?, of url: RemoteURL) -> String {
    if let entryTitle, !entryTitle.isEmpty { return truncatedTitle(entryTitle) }
    let path = url.description.prefix { $0 != "?" }
    return String(path.split(separator: "/").last ?? "")
  }
}

extension ManifestReader {
  /// Returns the first characters of a title that is too long, or the first scalars if its first character is too long.
  private static func truncatedTitle(_ title: String) -> String {
    guard title.utf8.count > maximumTitleBytes else { return title }
    var count = 0
    let characters = title.prefix { character in
      count += character.utf8.count
      return count <= maximumTitleBytes
    }
    guard characters.isEmpty else { return String(characters) }
    count = 0
    return String(
      title.unicodeScalars.prefix { scalar in
        count += UTF8.width(scalar)
        return count <= maximumTitleBytes
      })
  }
}

/// An error that is thrown for bytes that are not a list of pictures.
package enum ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The list is longer than the maximum.
  case tooLarge(limit: Int)
  /// The bytes are not JSON.
  case notJSON
  /// The JSON is not an object with an array `items`.
  case noItems

  /// A sentence with the error and the expected format.
  package var description: String {
    switch self {
    case .tooLarge(let limit): "the list has more than \(limit >> 20) MB; split it"
    case .notJSON: "the list is not JSON"
    case .noItems: "the list has no \"items\"; expected {\"items\": [{\"id\": …, \"url\": …}]}"
    }
  }
}

/// The JSON document of a list.
private struct ManifestDocument: Decodable {
  /// The entries, with nil for each entry that is not an object.
  private(set) var entries: [ManifestEntry?] = []
  /// The number of entries beyond the maximum.
  private(set) var surplusCount = 0

  /// The key of the maximum number of entries in the decoder's user info.
  static let maximumItemsKey = CodingUserInfoKey(rawValue: "maximumItems")

  private enum Key: CodingKey { case items }

  init(from decoder: any Decoder) throws {
    var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .items)
    let count = list.count ?? 0
    let maximumItems =
      ManifestDocument.maximumItemsKey.flatMap { decoder.userInfo[$0] as? Int } ?? Manifest.maximumItems
    entries.reserveCapacity(min(count, maximumItems))
    while !list.isAtEnd {
      guard entries.count < maximumItems else {
        surplusCount = max(0, count - entries.count)
        return
      }
      let index = list.currentIndex
      entries.append((try? list.decode(ManifestEntry.self)).flatMap { $0.isObject ? $0 : nil })
      // A decoder does not advance past an element that it cannot decode.
      if list.currentIndex == index { _ = try list.decodeNil() }
      if list.currentIndex == index { return }
    }
  }
}

/// An entry of a list, with the fields that are valid.
private struct ManifestEntry: Decodable {
  private enum Key: CodingKey { case id, url, title, width, height, date, likes }

  /// Whether the entry is a JSON object.
  private(set) var isObject = false
  private(set) var id: String?
  private(set) var address: String?
  private(set) var title: String?
  private(set) var size: PixelSize?
  private(set) var captureTime: Int64?
  private(set) var likes: Int?
  /// The flaws of the entry.
  private(set) var flaws: [Manifest.Flaw] = []

  init(from decoder: any Decoder) {
    guard let fields = try? decoder.container(keyedBy: Key.self) else { return }
    isObject = true
    func text(_ key: Key) -> String? { try? fields.decode(String.self, forKey: key) }
    func number(_ key: Key) -> Int? {
      if let number = try? fields.decode(Int.self, forKey: key) { return number }
      return (try? fields.decode(Double.self, forKey: key)).flatMap { Int(exactly: $0) }
    }
    func isThere(_ key: Key) -> Bool { fields.contains(key) && (try? fields.decodeNil(forKey: key)) == false }
    address = text(.url)
    id = text(.id) ?? number(.id).map(String.init)
    title = text(.title)
    if isThere(.width) || isThere(.height) {
      size = number(.width).flatMap { width in
        number(.height).flatMap { PixelSize(width: width, height: $0) }
      }
      if size == nil { flaws.append(.badSize) }
    }
    if isThere(.date) {
      captureTime = text(.date).flatMap(ManifestDate.seconds) ?? number(.date).flatMap(ManifestDate.seconds)
      if captureTime == nil { flaws.append(.badDate) }
    }
    if isThere(.likes) {
      likes = number(.likes).flatMap { $0 >= 0 ? $0 : nil }
      if likes == nil { flaws.append(.badLikes) }
    }
  }
}
