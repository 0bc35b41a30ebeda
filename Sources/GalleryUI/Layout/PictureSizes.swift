import CollectionUI
import Geometry
import PhotoLibrary

/// How large the picture of each photograph is in its cell now, in pixels.
final class PictureSizes {
  private weak var grid: CollectionView?
  private weak var dataSource: DiffableDataSource<GallerySection, PhotoID>?
  /// How the photographs are placed.
  let kind: GalleryLayoutKind
  /// Pixels a point.
  var scale = DisplayScale.one
  /// The one size of all, where they are of one; the layout is asked once.
  private var uniform: PixelSize??
  /// The one size when ``haveChanged()`` was asked last.
  private var lastReportedSize: PixelSize??

  init(_ kind: GalleryLayoutKind, grid: CollectionView) {
    self.kind = kind
    self.grid = grid
  }

  /// Takes whom to ask for the place of a photograph.
  func setDataSource(_ dataSource: DiffableDataSource<GallerySection, PhotoID>) { self.dataSource = dataSource }

  /// Places are about to change.
  func invalidate() { uniform = nil }

  /// Whether sizes may be others than when this was asked last; not the first time.
  func haveChanged() -> Bool {
    guard kind == .grid || kind == .list else { return true }
    let size = uniformSize
    defer { lastReportedSize = size }
    return lastReportedSize.map { $0 != size } ?? false
  }

  private var uniformSize: PixelSize? {
    if let uniform { return uniform }
    let size = grid.flatMap { self.size(in: $0.firstItemSize) }
    uniform = size
    return size
  }

  /// The size of a photograph's picture; nothing where there is no room for one, or no such photograph.
  func size(of item: PhotoID) -> PixelSize? {
    switch kind {
    case .grid, .list:
      return uniformSize
    case .justified, .mosaic:
      guard let frame = dataSource?.indexPath(for: item).flatMap({ grid?.frameOfItem(at: $0) }) else { return nil }
      return size(in: frame.size)
    }
  }

  /// The size of the picture in a cell of a size.
  func size(in cell: Size) -> PixelSize? {
    let area =
      switch kind {
      case .grid: Rect(x: 0, y: 0, width: cell.width, height: cell.height - Metrics.captionHeight)
      case .justified, .mosaic: Rect(x: 0, y: 0, width: cell.width, height: cell.height)
      case .list: RowCell.pictureArea(in: cell)
      }
    let pixels = scale.pixelRect(area)
    return PixelSize(width: Int(pixels.width), height: Int(pixels.height))?
      .scaled(toMaximumArea: Metrics.maximumPictureArea)
  }
}
