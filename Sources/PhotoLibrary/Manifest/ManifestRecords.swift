package import VitrineGeometry
package import VitrineImageMetadata
package import VitrineImagePipeline

/// The records of pictures in lists on the web, with what the lists contain before any download.
///
/// A list may have a million entries, so that their texts are stored one after the other, without an allocation for each.
package struct ManifestRecords: PhotoRecords {
  /// An entry with the offsets of its texts.
  private struct Row: Hashable, Sendable {
    /// The number of the list; identifiers are unique within a list only.
    var list: UInt32
    var id: UInt32
    var address: UInt32
    var title: UInt32
    /// The size in pixels; 0 if the list does not specify it.
    var width: UInt32
    var height: UInt32
    var addressDigest: UInt64
    /// The capture time, or the smallest number if the list does not specify it.
    var captureTime: Int64
    /// The number of likes, or -1 if the list does not specify it.
    var likes: Int
    /// Whether the last list that contained the picture came from a public server, so that its address must not lead to
    /// this machine.
    var isPublic: Bool
    /// The position in the list, as it was read last.
    var position: UInt32
  }

  private var rows = PagedColumn<Row>()
  private var texts = NameArena()
  /// The rows by list and identifier.
  private var index = PathIndex()
  /// The length of texts that rows no longer refer to, in bytes.
  private var unusedBytes = 0
  /// The position of the next entry of the scan, by list.
  private var nextPositions: [Int: UInt32] = [:]

  /// The length of unused texts below which they are not removed, in bytes.
  private static let toleratedBytes = 1 << 20

  /// Creates empty records.
  package init() {}

  /// The number of listed pictures.
  package var count: Int { rows.count }

  /// The memory per entry, in bytes; 0 if there is none.
  ///
  /// - Complexity: O(*p*) in the number of pages.
  package var bytesPerItem: Int {
    rows.count == 0 ? 0 : (rows.memoryBytes + texts.memoryBytes + index.memoryBytes) / rows.count
  }

  /// Always false: lists are read and may change.
  package var isComputed: Bool { false }

  /// Begins to count positions again; pictures keep their identifiers.
  package mutating func beginScan() { nextPositions = [:] }

  /// Applies the entries of a list, and ignores all other events.
  package mutating func apply(_ event: LibraryEvent) -> CatalogueChange {
    var change = CatalogueChange()
    guard case .entries(let entries, let list, let isFromPublicServer) = event else { return change }
    for item in entries {
      let hash = ManifestRecords.hash(list, item.id)
      let known = index.row(hash: hash) {
        let row = rows[Int($0)]
        return row.list == list && isText(row.id, item.id)
      }
      let number = known.map { Int($0) } ?? rows.count
      let id = AlbumRecords.id(ofNumber: number)
      change.listed.append(id)
      defer { nextPositions[list, default: 0] += 1 }
      if known == nil {
        let address = texts.append(item.address.utf8)
        rows.append(
          row(
            item, list, isFromPublicServer, id: item.id == item.address ? address : texts.append(item.id.utf8), address,
            title: texts.append(item.title.utf8)))
        index.insert(hash: hash, row: UInt32(number))
        change.added.append(id)
      } else if update(number, item, list, isFromPublicServer) {
        change.changed.append(id)
      }
    }
    if unusedBytes > max(ManifestRecords.toleratedBytes, texts.memoryBytes / 2) { removeUnusedTexts() }
    return change
  }

  /// Returns whether the row of a known picture has changed.
  private mutating func update(_ number: Int, _ item: ManifestItem, _ list: Int, _ isFromPublicServer: Bool) -> Bool {
    let old = rows[number]
    var (address, title) = (old.address, old.title)
    if !isText(address, item.address) {
      if address != old.id { unusedBytes += texts[address].count }
      address = texts.append(item.address.utf8)
    }
    if !isText(title, item.title) {
      unusedBytes += texts[title].count
      title = texts.append(item.title.utf8)
    }
    let new = row(item, list, isFromPublicServer, id: old.id, address, title: title)
    guard new != old else { return false }
    rows[number] = new
    // A picture at another position is not another one.
    var moved = old
    moved.position = new.position
    return new != moved
  }

  private func row(
    _ item: ManifestItem, _ list: Int, _ isPublic: Bool, id: UInt32, _ address: UInt32, title: UInt32
  ) -> Row {
    Row(
      list: UInt32(list), id: id, address: address, title: title, width: UInt32(item.size?.width ?? 0),
      height: UInt32(item.size?.height ?? 0), addressDigest: item.addressDigest, captureTime: item.captureTime ?? .min,
      likes: item.likes ?? -1, isPublic: isPublic, position: nextPositions[list] ?? 0)
  }

  /// Copies the texts that rows refer to, and removes the others.
  private mutating func removeUnusedTexts() {
    var copy = NameArena()
    for number in 0..<rows.count {
      let row = rows[number]
      rows[number].address = copy.append(texts[row.address])
      rows[number].id = row.id == row.address ? rows[number].address : copy.append(texts[row.id])
      rows[number].title = copy.append(texts[row.title])
    }
    texts = copy
    unusedBytes = 0
  }

  /// Returns whether the text at an offset has the same bytes as another one.
  private func isText(_ offset: UInt32, _ text: String) -> Bool { texts[offset].elementsEqual(text.utf8) }

  private func text(_ offset: UInt32) -> String { String(decoding: texts[offset], as: UTF8.self) }

  /// Returns a hash that the authors of lists do not know (SipHash).
  private static func hash(_ list: Int, _ id: String) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(list)
    hasher.combine(id)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func row(of id: PhotoID) -> Row? {
    let number = Int(id.rawValue) - 1
    return (0..<rows.count).contains(number) ? rows[number] : nil
  }

  /// Returns the index of the list that contains the given picture, or nil if there is no such picture.
  package func list(of id: PhotoID) -> Int? { row(of: id).map { Int($0.list) } }

  /// Returns the position of the given picture in its list, as that was read last.
  ///
  /// One that is no longer listed has its last position.
  package func listPosition(of id: PhotoID) -> Int? { row(of: id).map { Int($0.position) } }

  /// Returns the list entry of the given picture, or nil if there is none.
  ///
  /// - Complexity: O(*n*) in the length of its texts.
  package func item(for id: PhotoID) -> ManifestItem? {
    row(of: id).map { row in
      ManifestItem(
        id: text(row.id), address: text(row.address), addressDigest: row.addressDigest, title: text(row.title),
        size: PixelSize(width: Int(row.width), height: Int(row.height)),
        captureTime: row.captureTime == .min ? nil : row.captureTime, likes: row.likes < 0 ? nil : row.likes)
    }
  }

  /// Returns nil: pictures on the web have no paths.
  package func id(at path: PhotoPath) -> PhotoID? { nil }

  /// Returns nil: pictures on the web have no folders.
  package func folder(of id: PhotoID) -> PhotoPath? { nil }

  /// Returns the bytes of the given picture's title.
  package func name(of id: PhotoID) -> ArraySlice<UInt8>? { row(of: id).map { texts[$0.title] } }

  /// Returns nil: the format is unknown before the download.
  package func format(of id: PhotoID) -> ImageFormat? { nil }

  /// Returns false: whether there is a thumbnail is unknown before the download.
  package func hasPreview(_ id: PhotoID) -> Bool { false }

  /// Returns the size of the given picture in pixels, or nil if its list does not specify it.
  package func size(of id: PhotoID) -> PixelSize? {
    row(of: id).flatMap { PixelSize(width: Int($0.width), height: Int($0.height)) }
  }

  /// Returns the capture time of the given picture, or nil if its list does not specify it.
  package func time(of id: PhotoID) -> Int64? {
    row(of: id).flatMap { $0.captureTime == .min ? nil : $0.captureTime }
  }

  /// Returns nil: lists contain no information about failures.
  package func failure(of id: PhotoID) -> PhotoFailure? { nil }

  /// Returns a number that changes when the address of the picture changes.
  package func version(of id: PhotoID) -> UInt64 { row(of: id)?.addressDigest ?? 0 }

  /// Returns a fingerprint with a hash of the picture's address, on a device number that no file system has.
  ///
  /// The content at the address is unknown before the download.
  package func fingerprint(of id: PhotoID) -> FileFingerprint? {
    row(of: id).map {
      FileFingerprint(device: .max - 1, inode: $0.addressDigest, byteCount: 0, modificationNanoseconds: 0)
    }
  }

  /// Returns the remote source of the given picture.
  package func imageSource(of id: PhotoID) -> ImageSource? {
    row(of: id).map {
      .remote(RemoteImage(address: text($0.address), isFromPublicServer: $0.isPublic))
    }
  }

  /// Returns 0: the size is unknown before the download.
  package func byteCount(of id: PhotoID) -> Int { 0 }

  /// Returns true for every listed picture: a list contains everything there is to know.
  package func isRead(_ id: PhotoID) -> Bool { row(of: id) != nil }
}
