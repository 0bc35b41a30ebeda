public import CollectionUI
import CollectionEngine
public import struct FoundationEssentials.IndexPath
import Geometry
public import PhotoLibrary
import Rendering
import Views

extension GalleryScreen: DataPrefetching {
  /// Asks for the pictures of items that will be seen.
  public func prefetchItems(_ items: [PhotoID]) {
    let distance = items.first.flatMap { dataSource.flatIndex(of: $0) }.map(frameContext.distance) ?? 0
    let present = thumbnails.prefetch(items, distance: distance, at: frameContext.instant)
    for bitmap in present { resources?.uploads.enqueuePrefetch(bitmap) }
    if zoom.kind == .grid { captionPrefetchQueue.add(items) }
  }

  /// Gives up pictures that will not be seen.
  public func cancelPrefetchingItems(_ items: [PhotoID]) { thumbnails.cancel(items) }

  /// Gives up pictures that were on screen, or would have been, and are far from it.
  public func releaseItems(_ items: [PhotoID]) { thumbnails.cancel(items) }
}

extension GalleryScreen: CollectionViewDelegate {
  /// A cell that was prepared ahead, or waited since it left the screen, comes there: its picture is wanted like those
  /// that are there.
  public func collectionView(
    _ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath
  ) {
    guard let cell = cell as? PictureCell, let item = cell.item else { return }
    thumbnails.itemDidAppear(item)
    guard cell.isWaiting else { return }
    // Its request may have been given up while the cell waited.
    let deadline = ThumbnailDeadline.deadline(onScreenAt: frameContext.priority(of: cell.frame))
    let isMissing = if case .missing = thumbnails.state(of: item, deadline: deadline) { true } else { false }
    // Of one that was prepared before previews were read, and is known, the preview is there now.
    if isMissing, !cell.isBlank || cell.tinyPreview != nil || library.tinyPreview(of: item) == nil { return }
    dataSource.reconfigureItems([item])
  }

  /// Lets the picture of an item that left the screen wait for those that are there.
  public func collectionView(
    _ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath
  ) {
    guard let item = (cell as? PictureCell)?.item else { return }
    thumbnails.itemDidDisappear(item)
    thumbnails.postpone(item, at: frameContext.instant)
  }

  /// Hands over what the layout is told of photographs.
  public func collectionViewWillPrepareLayout(_ view: CollectionView) {
    layoutInput.contents = LayoutInput.Contents(
      snapshot: dataSource.shownSnapshot(), aspectRatios: library.aspectRatios)
    pictureSizes.scale = resources?.scale ?? .one
    pictureSizes.invalidate()
  }

  /// Cells may have other sizes in pixels: asks for the pictures on screen and ahead at those.
  public func collectionViewDidLayout(_ view: CollectionView) {
    if pictureSizes.haveChanged() {
      for bitmap in thumbnails.updateSizes(at: frameContext.instant) { resources?.uploads.enqueuePrefetch(bitmap) }
    }
    dataSource.reconfigureItems(
      grid.visibleCells.compactMap { cell in
        guard let cell = cell as? PictureCell, let item = cell.item, cell.requestedSize != pictureSizes.size(of: item)
        else {
          return nil
        }
        return item
      })
  }
}
