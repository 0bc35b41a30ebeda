import GalleryUI
import Hosting
import PhotoLibrary

/// Which photographs a run is to show, settled before anything is opened.
struct LibraryPlan {
  /// Where they come from.
  enum Source {
    /// Folders and pictures of the user's.
    case places([LibraryRoot])
  }

  let source: Source
  /// The photograph to bring into view: a single picture opens its folder.
  let wanted: PhotoPath?
  private let cache: PhotoPath?

  /// Settles the source by the command line.
  ///
  /// - Throws: `LibraryError` for a path that no library can be made of.
  init(_ options: GalleryOptions, operands: [[UInt8]]) throws {
    let folders = Surroundings.folders
    cache = options.cacheFolder.map { PhotoPath($0).absolute } ?? folders.cache
    var roots: [LibraryRoot] = []
    for operand in operands { roots.append(try LibraryRoot(checking: PhotoPath(operand))) }
    if roots.count == 1, roots[0].kind == .picture {
      let picture = roots[0].path.absolute
      wanted = picture
      roots = [try LibraryRoot(checking: picture.parent)]
    } else {
      wanted = nil
    }
    source = .places(roots)
  }

  /// Starts what fills the gallery.
  func makeFeed(
    isSimulated: Bool, isHeadless: Bool, wake: @escaping @Sendable () -> Void
  ) throws -> FolderFeed {
    switch source {
    case .places(let roots):
      return try FolderFeed(roots: roots, isSimulated: isSimulated, excluded: cache.map { [$0] } ?? [], wake: wake)
    }
  }
}
