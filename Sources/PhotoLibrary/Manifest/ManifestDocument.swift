import Geometry

/// The JSON of a list, as it stands there.
struct ManifestDocument: Decodable {
  /// The entries; nothing in the place of one that is no object.
  private(set) var entries: [ManifestEntry?] = []
  /// Entries past the last one that a list may have.
  private(set) var surplusCount = 0

  /// Where a decoder is told how many entries a list may have.
  static let maximumItemsKey = CodingUserInfoKey(rawValue: "mostItems")

  private enum Key: CodingKey { case items }

  init(from decoder: any Decoder) throws {
    var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .items)
    let count = list.count ?? 0
    let most = ManifestDocument.maximumItemsKey.flatMap { decoder.userInfo[$0] as? Int } ?? Manifest.maximumItems
    entries.reserveCapacity(min(count, most))
    while !list.isAtEnd {
      guard entries.count < most else {
        surplusCount = max(0, count - entries.count)
        return
      }
      let place = list.currentIndex
      entries.append((try? list.decode(ManifestEntry.self)).flatMap { $0.isObject ? $0 : nil })
      // A decoder does not go past what it could not decode.
      if list.currentIndex == place { _ = try list.decodeNil() }
      if list.currentIndex == place { return }
    }
  }
}
