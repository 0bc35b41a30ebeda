package import VitrineReadingProtocol
import VitrineGeometry
package import VitrineRemoteImages

/// A reader of the entries of a list of pictures, which a confined process has found in it.
///
/// The format of a list is JSON: `{"items": [{"id", "url", "title", "width", "height", "date", "likes"}]}`. Only `url` is
/// required. A flaw excludes the entry, or only the flawed field, and is counted.
///
/// Memory is needed for one batch, and for eight bytes an entry that tell which identifiers were there before.
package struct ManifestReader {
  /// The maximum length of a list in a file, in bytes.
  package static let maximumBytes = 256 << 20

  private let base: RemoteURL?
  private let isFromPublicServer: Bool
  /// Hashes of the identifiers.
  ///
  /// By chance, an entry of a million is left out of one list in thirty million.
  private var digests: Set<UInt64> = []
  private let seed = UInt64.random(in: .min ... .max)

  /// The number of entries and fields with each flaw so far.
  package private(set) var flaws: [Manifest.Flaw: Int] = [:]

  /// Creates a reader of one list.
  ///
  /// - Parameters:
  ///   - base: The address of the list, against which relative addresses are resolved. If nil, relative addresses are
  ///     invalid.
  ///   - isFromPublicServer: Whether the list comes from a server on the internet. Such a list may not name addresses
  ///     on this machine or its network.
  package init(base: RemoteURL? = nil, isFromPublicServer: Bool = false) {
    self.base = base
    self.isFromPublicServer = isFromPublicServer
  }

  /// Returns the pictures of the next entries, and counts the flaws of the others.
  ///
  /// - Complexity: O(*n*) in the number of entries.
  package mutating func pictures(of batch: ListBatch) -> [ManifestItem] { batch.entries.compactMap { picture(of: $0) } }

  private mutating func picture(of entry: ListEntry) -> ManifestItem? {
    guard let url = entry.address.flatMap({ text in base.map { $0.resolving(text) } ?? RemoteURL(text) }) else {
      flaws[.noAddress, default: 0] += 1
      return nil
    }
    guard !isFromPublicServer || !url.isPrivate else {
      flaws[.privateAddress, default: 0] += 1
      return nil
    }
    let id = entry.id ?? url.text
    guard digests.insert(digest(of: id)).inserted else {
      flaws[.duplicate, default: 0] += 1
      return nil
    }
    if entry.flaws.contains(.size) { flaws[.badSize, default: 0] += 1 }
    if entry.flaws.contains(.date) { flaws[.badDate, default: 0] += 1 }
    if entry.flaws.contains(.likes) { flaws[.badLikes, default: 0] += 1 }
    let size = entry.width.flatMap { width in
      entry.height.flatMap { PixelSize(width: Int(width), height: Int($0)) }
    }
    return ManifestItem(
      id: id, url: url, title: ManifestReader.title(entry.title, of: url), size: size, captureTime: entry.date,
      likes: entry.likes.map { Int($0) })
  }

  /// Counts what the list contained besides, and returns the flaws of all entries.
  ///
  /// - Parameter end: The end of the list.
  /// - Throws: ``ManifestError`` if the bytes are not a list, or only at their start.
  package mutating func finish(_ end: ListEnd) throws(ManifestError) -> [Manifest.Flaw: Int] {
    for (flaw, count) in [
      (Manifest.Flaw.notAnObject, end.notObjects), (.tooLong, end.tooLong), (.tooMany, end.surplus),
    ]
    where count > 0 { flaws[flaw, default: 0] += count }
    switch end.ending {
    case .complete: return flaws
    case .notJSON: throw .notJSON(afterEntries: digests.count)
    case .noItems: throw .noItems
    }
  }

  /// Returns a hash that the authors of lists do not know (SipHash).
  private func digest(of id: String) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(seed)
    hasher.combine(id)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// Returns the title of an entry, or else the last path component of its address.
  private static func title(_ entryTitle: String?, of url: RemoteURL) -> String {
    if let entryTitle, !entryTitle.isEmpty { return entryTitle }
    let path = url.description.prefix { $0 != "?" }
    return String(path.split(separator: "/").last ?? "")
  }
}

/// An error that is thrown for bytes that are not a list of pictures.
package enum ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The list is longer than the maximum.
  case tooLarge(limit: Int)
  /// The bytes are not JSON, or not any more after a number of valid entries.
  case notJSON(afterEntries: Int)
  /// The JSON is not an object with an array `items`.
  case noItems

  /// A sentence with the error and the expected format.
  package var description: String {
    switch self {
    case .tooLarge(let limit): "the list has more than \(limit >> 20) MB; split it"
    case .notJSON(afterEntries: 0): "the list is not JSON"
    case .notJSON(let count): "the list is not JSON any more after \(count) \(count == 1 ? "picture" : "pictures")"
    case .noItems: "the list has no \"items\"; expected {\"items\": [{\"id\": …, \"url\": …}]}"
    }
  }
}
