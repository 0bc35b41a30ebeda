package import VitrineGeometry
package import VitrineRemoteImages

/// A list of pictures on the web.
package struct Manifest: Hashable, Sendable {
  /// A defect of an entry, or of a part of it.
  package enum Flaw: UInt8, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// The entry is not a JSON object. It is excluded.
    case notAnObject
    /// The entry has no valid web address. It is excluded.
    case noAddress
    /// A public server named an address on this machine or its network. The entry is excluded.
    case privateAddress
    /// An earlier entry has the same identifier. The entry is excluded.
    case duplicate
    /// The list has more entries than the maximum. The entry is excluded.
    case tooMany
    /// The entry has more bytes than the maximum. It is excluded.
    case tooLong
    /// Width and height are not those of a picture. The entry has no size.
    case badSize
    /// The date is invalid. The entry has no date.
    case badDate
    /// The number of likes is invalid. The entry has no likes.
    case badLikes

    /// Whether an entry with this flaw is excluded.
    package var excludesEntry: Bool {
      switch self {
      case .notAnObject, .noAddress, .privateAddress, .duplicate, .tooMany, .tooLong: true
      case .badSize, .badDate, .badLikes: false
      }
    }

    /// A short description for a line that counts flaws.
    package var description: String {
      switch self {
      case .notAnObject: "no object"
      case .noAddress: "no web address"
      case .privateAddress: "private address"
      case .duplicate: "named twice"
      case .tooMany: "past the millionth"
      case .tooLong: "longer than 256 KB"
      case .badSize: "impossible size"
      case .badDate: "unreadable date"
      case .badLikes: "unreadable likes"
      }
    }
  }

  /// The pictures, in the order of the list.
  package let items: [ManifestItem]
  /// The number of entries with each flaw.
  ///
  /// Flaws that no entry has are absent.
  package let flaws: [Flaw: Int]

  /// Creates a manifest.
  package init(items: [ManifestItem], flaws: [Flaw: Int] = [:]) {
    self.items = items
    self.flaws = flaws
  }

  /// The number of excluded entries.
  package var excludedCount: Int { Flaw.allCases.filter(\.excludesEntry).reduce(0) { $0 + (flaws[$1] ?? 0) } }
}

extension Manifest {
  /// Creates a manifest with one picture, of which only the address is known.
  init(picture url: RemoteURL) {
    let path = url.description.prefix { $0 != "?" }
    self.init(items: [ManifestItem(id: url.text, url: url, title: String(path.split(separator: "/").last ?? ""))])
  }

  /// A line that counts the flaws of the entries, or nil if there are none.
  var flawSummary: String? {
    let counts = Flaw.allCases.compactMap { flaw in flaws[flaw].map { "\($0) \(flaw)" } }
    guard !counts.isEmpty else { return nil }
    return "\(excludedCount) \(excludedCount == 1 ? "entry" : "entries") left out (\(counts.joined(separator: ", ")))"
  }
}

/// A picture of a manifest, with what is known about it before any download.
package struct ManifestItem: Hashable, Sendable {
  /// The identifier of the picture within its list.
  ///
  /// It stays the same as long as the list contains the picture.
  package let id: String
  /// The validated web address of the picture.
  package let address: String
  /// A hash of the address.
  let addressDigest: UInt64
  /// The title.
  package let title: String
  /// The size in pixels, after orientation, or nil if the list does not specify it.
  package let size: PixelSize?
  /// The capture time in seconds since 1970 in the camera's local time, or nil if the list does not specify it.
  package let captureTime: Int64?
  /// The number of likes, or nil if the list does not specify it.
  package let likes: Int?

  /// Creates an item.
  package init(
    id: String, url: RemoteURL, title: String, size: PixelSize? = nil, captureTime: Int64? = nil, likes: Int? = nil
  ) {
    self.init(
      id: id, address: url.text, addressDigest: url.digest, title: title, size: size, captureTime: captureTime,
      likes: likes)
  }

  /// Creates an item with a valid address and its hash.
  package init(
    id: String, address: String, addressDigest: UInt64, title: String, size: PixelSize?, captureTime: Int64?,
    likes: Int?
  ) {
    self.id = id
    self.address = address
    self.addressDigest = addressDigest
    self.title = title
    self.size = size
    self.captureTime = captureTime
    self.likes = likes
  }

  /// The address, parsed.
  ///
  /// - Complexity: O(*n*) in the length of the address. The address is stored as text because a list may have a million
  ///   of them.
  package var url: RemoteURL? { RemoteURL(address) }
}
