import CollectionUI
import struct FoundationEssentials.IndexPath
import Geometry
import ImagePipeline
import PhotoLibrary

/// Gives the grid its cells: one registration, made once, that looks up an item's name and picture.
final class PhotoCellSource {
  private let registration: CellRegistration<PhotoCell, PhotoID>

  init(library: LibraryModel, thumbnails: ThumbnailLoader, moment: FrameMoment) {
    let brokenIcon = SharedIcon(isBroken: true)
    registration = CellRegistration { [weak moment] cell, path, item in
      cell.item = item
      cell.brokenIcon = brokenIcon
      cell.name = library.caption(of: item)
      cell.isMarked = library.isWanted(item)
      if let failure = library.failure(of: item) {
        cell.content = .broken(failure)
        return
      }
      switch thumbnails.state(of: item, place: moment?.place(of: path) ?? 0) {
      case .image(let bitmap, let isDamaged): cell.content = .picture(bitmap, isDamaged: isDamaged)
      case .failure(let failure): cell.content = .broken(library.words(for: failure, of: item))
      case .missing: cell.keepWhatIsThere()
      }
    }
  }

  func cell(_ view: CollectionView, _ path: IndexPath, _ item: PhotoID) -> CollectionViewCell {
    view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
  }
}
