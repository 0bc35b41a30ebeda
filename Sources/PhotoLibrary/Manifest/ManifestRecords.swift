public import Geometry
public import ImageMetadata
public import ImagePipeline

/// What is known of the pictures of lists on the web: all that the lists tell, before anything of a picture was downloaded.
public struct ManifestRecords: PhotoRecords {
  /// What a picture is called: lists know nothing of each other's names.
  private struct ItemKey: Hashable, Sendable {
    let list: Int
    let id: String
  }

  private var items: [ManifestItem] = []
  private var numbersByKey: [ItemKey: Int] = [:]
  /// Whether a public server gave the list that a picture was last in: then its address may not lead to this machine.
  private var isPublic: [Bool] = []

  /// Makes the records of no pictures.
  public init() {}

  /// How many pictures were listed.
  public var count: Int { items.count }

  /// About what an entry with an address of usual length takes.
  public var bytesPerItem: Int { items.isEmpty ? 0 : 256 }

  /// A list is told and may change.
  public var isComputed: Bool { false }

  /// Names stay with their pictures: nothing has to be forgotten.
  public func beginScan() {}

  /// Takes in what a list tells; what a scan of files tells means nothing here.
  public mutating func apply(_ event: LibraryEvent) -> CatalogueChange {
    var change = CatalogueChange()
    guard case .entries(let entries, let list, let isFromPublicServer) = event else { return change }
    for item in entries {
      let name = ItemKey(list: list, id: item.id)
      if let number = numbersByKey[name] {
        let id = AlbumRecords.id(ofNumber: number)
        change.listed.append(id)
        guard items[number] != item || isPublic[number] != isFromPublicServer else { continue }
        items[number] = item
        isPublic[number] = isFromPublicServer
        change.changed.append(id)
      } else {
        let id = AlbumRecords.id(ofNumber: items.count)
        numbersByKey[name] = items.count
        items.append(item)
        isPublic.append(isFromPublicServer)
        change.listed.append(id)
        change.added.append(id)
      }
    }
    return change
  }

  /// What a list tells of a picture.
  public func item(for id: PhotoID) -> ManifestItem? {
    let number = Int(id.rawValue) - 1
    return items.indices.contains(number) ? items[number] : nil
  }

  /// Pictures on the web have no paths.
  public func id(at path: PhotoPath) -> PhotoID? { nil }

  /// Pictures on the web have no folders.
  public func folder(of id: PhotoID) -> PhotoPath? { nil }

  /// The bytes of a picture's title.
  public func name(of id: PhotoID) -> ArraySlice<UInt8>? { item(for: id).map { Array($0.title.utf8)[...] } }

  /// Told by its first bytes alone, which are not here.
  public func format(of id: PhotoID) -> ImageFormat? { nil }

  /// Told by its first bytes alone, which are not here.
  public func hasPreview(_ id: PhotoID) -> Bool { false }

  /// A picture's extent in pixels, where its list tells.
  public func size(of id: PhotoID) -> PixelSize? { item(for: id)?.size }

  /// When a picture was taken, where its list tells.
  public func time(of id: PhotoID) -> Int64? { item(for: id)?.captureTime }

  /// A list names none that is known to be none.
  public func failure(of id: PhotoID) -> PhotoFailure? { nil }

  /// Another number where a picture of this name is elsewhere now.
  public func version(of id: PhotoID) -> UInt64 { item(for: id)?.addressDigest ?? 0 }

  /// The picture's address, on a device that no file is on: what is there now is known only once it was downloaded.
  public func fingerprint(of id: PhotoID) -> FileFingerprint? {
    item(for: id).map {
      FileFingerprint(device: .max - 1, inode: $0.addressDigest, byteCount: 0, modificationNanoseconds: 0)
    }
  }

  /// Where a picture is on the web.
  public func imageSource(of id: PhotoID) -> ImageSource? {
    item(for: id)?.url.map { .remote(RemoteRequest($0, isGivenByPublicServer: isPublic[Int(id.rawValue) - 1])) }
  }

  /// Nobody knows before it is here.
  public func byteCount(of id: PhotoID) -> Int { 0 }

  /// All that a list tells is known at once.
  public func isRead(_ id: PhotoID) -> Bool { item(for: id) != nil }
}
