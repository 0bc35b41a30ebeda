import DiffableData
import PhotoLibrary

/// Puts the photographs of a snapshot back into the order in which a scan lists them: folder by folder, by name.
nonisolated enum ListedOrder {
  typealias Snapshot = DiffableDataSourceSnapshot<GallerySection, PhotoID>

  /// The photographs in that order; those without folders as they were found.
  ///
  /// - Complexity: O(n log n) comparisons of names.
  static func sorted(_ snapshot: Snapshot, _ grouping: GalleryGrouping, by catalogue: any PhotoRecords) -> Snapshot {
    var folders: [PhotoPath?: [PhotoID]] = [:]
    var order: [PhotoPath?] = []
    // Numbers are given as photographs are found, and folders are read one after the other.
    for item in snapshot.itemIdentifiers.sorted(by: { $0.rawValue < $1.rawValue }) {
      let folder = catalogue.folder(of: item)
      if folders[folder] == nil { order.append(folder) }
      folders[folder, default: []].append(item)
    }
    var next = Snapshot()
    for folder in order {
      guard var items = folders[folder] else { continue }
      if folder != nil {
        let names = items.map { (item: $0, key: NaturalOrder.sortKey(of: catalogue.name(of: $0) ?? [])) }
        items = names.sorted { one, other in
          one.key == other.key ? one.item.rawValue < other.item.rawValue : one.key.lexicographicallyPrecedes(other.key)
        }.map(\.item)
      }
      let section = grouping == .folder ? folder.map(GallerySection.folder) ?? .all : .all
      if next.indexOfSection(section) == nil { next.appendSections([section]) }
      next.appendItems(items, toSection: section)
    }
    return next
  }
}
