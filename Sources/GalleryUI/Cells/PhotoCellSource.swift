import CollectionUI
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering

/// Gives the grid its cells: a registration for each kind, made once, that looks up an item's name and picture.
final class PhotoCellProvider {
  private let photo: CellRegistration<PhotoCell, PhotoID>
  private let row: CellRegistration<RowCell, PhotoID>
  private let sizes: PictureSizes

  /// Makes the registrations.
  ///
  /// - Parameter isUploaded: whether a picture is a texture, and so seen as soon as its cell is.
  init(
    library: LibraryModel, thumbnails: ThumbnailLoader, frameContext: FrameContext, sizes: PictureSizes,
    isUploaded: @escaping (Bitmap) -> Bool
  ) {
    self.sizes = sizes
    let brokenIcon = SharedIcon(isBroken: true)
    let tickIcon = SharedIcon { TickIcon.bitmap(side: $0) }
    func fill(_ cell: PictureCell, _ path: IndexPath, _ item: PhotoID, _ moment: FrameContext?, _ sizes: PictureSizes?)
    {
      // Set where the cell shows the item already, and is told of it again.
      let isKnown = cell.requestedSize != nil
      cell.item = item
      cell.requestedSize = sizes?.size(of: item)
      cell.brokenIcon = brokenIcon
      cell.tickIcon = tickIcon
      cell.name = library.caption(of: item)
      if let failure = library.failure(of: item) {
        cell.content = .broken(failure)
        cell.tinyPreview = nil
        return
      }
      var (isSeen, isMissing) = (false, false)
      switch thumbnails.state(of: item, deadline: moment?.deadline(of: path) ?? .zero) {
      case .image(let bitmap, let isDamaged):
        cell.content = .picture(bitmap, isDamaged: isDamaged)
        isSeen = isUploaded(bitmap)
      case .preview(let bitmap):
        cell.content = .preview(bitmap)
        isSeen = isUploaded(bitmap)
      case .failure(let failure):
        cell.content = .broken(library.failureText(for: failure, of: item))
        isSeen = true
      case .missing:
        cell.showPlaceholderIfEmpty()
        isMissing = true
      }
      // In the same frame: what was seen once is never blank again. A surface that its picture takes the place of in the
      // next frame stays, as the preview that came with the picture would be drawn for this one alone.
      if isSeen {
        cell.tinyPreview = nil
      } else if isMissing || !isKnown || cell.tinyPreview != nil {
        cell.tinyPreview = library.tinyPreview(of: item)
      }
    }
    photo = CellRegistration { [weak frameContext, weak sizes] cell, path, item in
      let isCaptioned = sizes?.kind == .grid
      cell.showsCaption = isCaptioned
      cell.cornerRadius = isCaptioned ? Metrics.cornerRadius : Metrics.smallCornerRadius
      fill(cell, path, item, frameContext, sizes)
    }
    row = CellRegistration { [weak frameContext, weak sizes] cell, path, item in
      cell.date = library.dateText(of: item)
      cell.extent = library.extentText(of: item)
      fill(cell, path, item, frameContext, sizes)
    }
  }

  func makeCell(_ view: CollectionView, _ path: IndexPath, _ item: PhotoID) -> CollectionViewCell {
    sizes.kind == .list
      ? view.dequeueConfiguredReusableCell(using: row, for: path, item: item)
      : view.dequeueConfiguredReusableCell(using: photo, for: path, item: item)
  }
}
