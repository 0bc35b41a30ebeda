import VitrinePhotoLibrary

/// Where settings are stored between runs.
package protocol SettingsStore: AnyObject {
  /// Stores the changes of this run, off the calling thread.
  ///
  /// - Parameter changes: The settings of the run, with only the folders that it showed.
  func save(_ changes: GallerySettings)
}

/// What ``SettingsController`` needs from the screen.
protocol SettingsHost: AnyObject {
  /// The folder that is shown, or nil if it is not a single one.
  var shownFolder: PhotoPath? { get }
  /// How the folder is shown now.
  var displaySettings: (layout: GalleryLayoutKind, grouping: GalleryGrouping, sorting: GallerySorting, size: Int) {
    get
  }
  /// The path of the first photograph in view, or nil at the beginning.
  var placePath: PhotoPath? { get }
  /// Whether the side bar is shown.
  var isSideBarShown: Bool { get }
  /// Shows a folder as it was shown last.
  func show(_ folder: GallerySettings.Folder)
}

/// The owner of what is remembered between runs.
///
/// It owns the settings of earlier runs and the changes of this one.
///
/// Invariants:
/// - Only folders that were shown are stored, so that two instances do not overwrite each other's.
/// - Nothing is remembered without a store.
final class SettingsController {
  /// The screen, which owns the controller.
  unowned var host: (any SettingsHost)!
  private var settings = GallerySettings()
  private var changes = GallerySettings()
  private var store: (any SettingsStore)?

  /// Begins to remember, with the settings of earlier runs.
  func start(_ settings: GallerySettings, store: any SettingsStore) {
    self.settings = settings
    self.store = store
  }

  /// The folders that were open lately, latest first.
  var recentFolders: [PhotoPath] {
    var merged = settings
    merged.merge(changes)
    return merged.folders.prefix(SettingsController.maximumRecents).compactMap(\.folder)
  }

  private static let maximumRecents = 8

  /// Shows the folder as it was shown last, if it is remembered.
  func restore() {
    guard store != nil, let folder = host.shownFolder else { return }
    if let known = changes.folder(at: folder) ?? settings.folder(at: folder) { host.show(known) }
  }

  /// Remembers how the folder is shown, and stores it.
  func save() {
    guard let store else { return }
    if let path = host.shownFolder {
      var folder = GallerySettings.Folder(path)
      let display = host.displaySettings
      (folder.layout, folder.group, folder.sort) = (
        display.layout.rawValue, display.grouping.rawValue, display.sorting.rawValue
      )
      (folder.size, folder.place) = (display.size, host.placePath?.escaped)
      changes.remember(folder)
    }
    changes.sideBar = host.isSideBarShown
    store.save(changes)
  }
}
