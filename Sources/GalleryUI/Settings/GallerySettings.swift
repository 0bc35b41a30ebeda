package import VitrinePhotoLibrary

/// What the gallery remembers between runs: the window's settings, and those of each folder.
package nonisolated struct GallerySettings: Hashable, Sendable, Codable {
  /// How a folder was shown last.
  package struct Folder: Hashable, Sendable, Codable {
    /// The path, percent-escaped.
    var path: String
    /// The layout, the grouping and the order, by their names.
    var layout: String?
    var group: String?
    var sort: String?
    /// The index of the size of photographs, from the smallest.
    var size: Int?
    /// The path of the first photograph in view, percent-escaped, or nil at the beginning.
    var place: String?

    /// Creates the settings of a folder of which nothing is known.
    init(_ folder: PhotoPath) { path = folder.escaped }

    /// The folder, or nil if the path is no escaped one.
    var folder: PhotoPath? { PhotoPath(escaped: path) }
    /// The layout, or nil if none or an unknown one is remembered.
    package var layoutKind: GalleryLayoutKind? { layout.flatMap(GalleryLayoutKind.init(rawValue:)) }
    /// The grouping, or nil if none or an unknown one is remembered.
    package var grouping: GalleryGrouping? { group.flatMap(GalleryGrouping.init(rawValue:)) }
    /// The order, or nil if none or an unknown one is remembered.
    package var sorting: GallerySorting? { sort.flatMap(GallerySorting.init(rawValue:)) }
    /// The first photograph in view, or nil at the beginning.
    var placePath: PhotoPath? { place.flatMap { PhotoPath(escaped: $0) } }
  }

  /// The version of the format.
  ///
  /// Settings of a later version are not read and not replaced.
  package static let currentVersion = 1
  /// The maximum number of folders.
  static let maximumFolders = 200

  /// The version of the format.
  package private(set) var version = currentVersion
  /// Whether the side bar is shown, or nil if nothing is remembered.
  package var sideBar: Bool?
  /// The folders, latest first.
  package private(set) var folders: [Folder] = []

  /// Creates empty settings.
  package init() {}

  /// Decodes settings, without the folders that are damaged.
  package init(from decoder: any Decoder) throws {
    /// A folder, or nil if it is damaged.
    struct Lenient: Decodable {
      let folder: Folder?
      init(from decoder: any Decoder) throws { folder = try? Folder(from: decoder) }
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    version = try values.decode(Int.self, forKey: .version)
    sideBar = try? values.decode(Bool.self, forKey: .sideBar)
    folders = (try? values.decode([Lenient].self, forKey: .folders))?.compactMap(\.folder) ?? []
  }

  /// Returns the settings of a folder, or nil if nothing is remembered of it.
  package func folder(at path: PhotoPath) -> Folder? {
    let escaped = path.escaped
    return folders.first { $0.path == escaped }
  }

  /// Remembers a folder as the latest one.
  mutating func remember(_ folder: Folder) {
    folders.removeAll { $0.path == folder.path }
    folders.insert(folder, at: 0)
    if folders.count > GallerySettings.maximumFolders {
      folders.removeLast(folders.count - GallerySettings.maximumFolders)
    }
  }

  /// Adds the changes of a run to settings that another run may have written meanwhile.
  ///
  /// - Parameter changes: The settings of the run, with only the folders that it showed.
  package mutating func merge(_ changes: GallerySettings) {
    sideBar = changes.sideBar ?? sideBar
    for folder in changes.folders.reversed() { remember(folder) }
  }
}
