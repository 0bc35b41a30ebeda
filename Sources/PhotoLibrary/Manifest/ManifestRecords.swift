package import VitrineGeometry
package import VitrineImageMetadata
package import VitrineImagePipeline

/// The records of pictures in lists on the web, with what the lists contain before any download.
package struct ManifestRecords: PhotoRecords {
  /// The key of a picture.
  ///
  /// Identifiers are unique within a list only.
  private struct ItemKey: Hashable, Sendable {
    let list: Int
    let id: String
  }

  private var items: [ManifestItem] = []
  private var numbersByKey: [ItemKey: Int] = [:]
  /// Whether the last list that contained the picture came from a public server, so that its address must not lead to
  /// this machine.
  private var isPublic: [Bool] = []

  /// Creates empty records.
  package init() {}

  /// The number of listed pictures.
  package var count: Int { items.count }

  /// The estimated memory per entry with an address of average length, in bytes.
  package var bytesPerItem: Int { items.isEmpty ? 0 : 256 }

  /// Always false: lists are read and may change.
  package var isComputed: Bool { false }

  /// Does nothing: pictures keep their identifiers in the next scan.
  package func beginScan() {}

  /// Applies the entries of a list, and ignores all other events.
  package mutating func apply(_ event: LibraryEvent) -> CatalogueChange {
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

  /// Returns the list entry of the given picture, or nil if there is none.
  package func item(for id: PhotoID) -> ManifestItem? {
    let number = Int(id.rawValue) - 1
    return items.indices.contains(number) ? items[number] : nil
  }

  /// Returns nil: pictures on the web have no paths.
  package func id(at path: PhotoPath) -> PhotoID? { nil }

  /// Returns nil: pictures on the web have no folders.
  package func folder(of id: PhotoID) -> PhotoPath? { nil }

  /// Returns the bytes of the given picture's title.
  package func name(of id: PhotoID) -> ArraySlice<UInt8>? { item(for: id).map { Array($0.title.utf8)[...] } }

  /// Returns nil: the format is unknown before the download.
  package func format(of id: PhotoID) -> ImageFormat? { nil }

  /// Returns false: whether there is a thumbnail is unknown before the download.
  package func hasPreview(_ id: PhotoID) -> Bool { false }

  /// Returns the size of the given picture in pixels, or nil if its list does not specify it.
  package func size(of id: PhotoID) -> PixelSize? { item(for: id)?.size }

  /// Returns the capture time of the given picture, or nil if its list does not specify it.
  package func time(of id: PhotoID) -> Int64? { item(for: id)?.captureTime }

  /// Returns nil: lists contain no information about failures.
  package func failure(of id: PhotoID) -> PhotoFailure? { nil }

  /// Returns a number that changes when the address of the picture changes.
  package func version(of id: PhotoID) -> UInt64 { item(for: id)?.addressDigest ?? 0 }

  /// Returns a fingerprint with a hash of the picture's address, on a device number that no file system has.
  ///
  /// The content at the address is unknown before the download.
  package func fingerprint(of id: PhotoID) -> FileFingerprint? {
    item(for: id).map {
      FileFingerprint(device: .max - 1, inode: $0.addressDigest, byteCount: 0, modificationNanoseconds: 0)
    }
  }

  /// Returns the remote source of the given picture.
  package func imageSource(of id: PhotoID) -> ImageSource? {
    item(for: id).map {
      .remote(RemoteImage(address: $0.address, isFromPublicServer: isPublic[Int(id.rawValue) - 1]))
    }
  }

  /// Returns 0: the size is unknown before the download.
  package func byteCount(of id: PhotoID) -> Int { 0 }

  /// Returns true for every listed picture: a list contains everything there is to know.
  package func isRead(_ id: PhotoID) -> Bool { item(for: id) != nil }
}
