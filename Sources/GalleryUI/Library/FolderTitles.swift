import VitrinePhotoLibrary
import VitrineRendering

/// The titles of folders, which tell them apart: the path below the root of the library, such as `Holidays/2019/07`.
///
/// The root itself has its name. If there are several roots, a title begins with the name of the root, preceded by as many
/// folders as the names of the roots need to be different.
nonisolated struct FolderTitles: Hashable, Sendable {
  private struct Root: Hashable, Sendable {
    let path: PhotoPath
    /// The number of the path's components before the title of the root.
    let hiddenCount: Int
  }

  private let roots: [Root]
  /// Whether the titles of folders within a root begin with that of the root.
  private let beginWithRoot: Bool

  /// Creates the titles of a library with the given roots.
  init(roots: [PhotoPath] = []) {
    var paths: [PhotoPath] = []
    for root in roots.map(\.absolute) where !paths.contains(root) { paths.append(root) }
    let components = paths.map { FolderTitles.components(of: $0)[...] }
    self.roots = zip(paths, components).map { path, own in
      var count = min(1, own.count)
      // A root within another one is told apart by its own name.
      while count < own.count, components.count(where: { $0.suffix(count) == own.suffix(count) }) > 1 { count += 1 }
      return Root(path: path, hiddenCount: own.count - count)
    }
    beginWithRoot = paths.count > 1
  }

  /// Returns the title of a folder.
  func title(of folder: PhotoPath) -> String {
    let folder = folder.absolute
    let components = FolderTitles.components(of: folder)
    // The innermost one, of roots within others.
    let root = roots.filter { folder.isWithin($0.path) }.max { $0.path.bytes.count < $1.path.bytes.count }
    var shown = components.suffix(1)
    if let root {
      let below = components.dropFirst(FolderTitles.components(of: root.path).count)
      shown = beginWithRoot || below.isEmpty ? components.dropFirst(root.hiddenCount) : below
    }
    let title = Array(shown.joined(separator: [UInt8(ascii: "/")]))
    return SanitizedText(bytes: title.isEmpty ? folder.bytes : title).string
  }

  private static func components(of path: PhotoPath) -> [ArraySlice<UInt8>] {
    path.bytes.split(separator: UInt8(ascii: "/"))
  }
}
