import CollectionEngine
public import CollectionUI
public import struct FoundationEssentials.IndexPath
import Geometry
public import PhotoLibrary
import Rendering
import Views

extension GalleryScreen: DataPrefetching {
  /// Requests the pictures of items that will appear.
  public func prefetchItems(_ items: [PhotoID]) {
    let distance = items.first.flatMap { dataSource.flatIndex(of: $0) }.map(frameContext.distance) ?? 0
    let present = thumbnails.prefetch(items, distance: distance, at: frameContext.instant)
    for bitmap in present { resources?.uploads.enqueuePrefetch(bitmap) }
    if zoom.kind == .grid { captionPrefetchQueue.add(items) }
  }

  /// Cancels the requests of items that will not appear.
  public func cancelPrefetchingItems(_ items: [PhotoID]) { thumbnails.cancel(items) }

  /// Cancels the requests of items far outside the viewport.
  public func releaseItems(_ items: [PhotoID]) { thumbnails.cancel(items) }
}

// MARK: - Grid delegate

extension GalleryScreen: CollectionViewDelegate {
  /// Pins the picture of a cell that appears on screen, and requests it if it is missing.
  ///
  /// The cell may have been prepared in advance, or may have waited since it left the screen.
  public func collectionView(
    _ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath
  ) {
    guard let cell = cell as? PictureCell, let item = cell.item else { return }
    thumbnails.itemDidAppear(item)
    guard cell.isWaiting else { return }
    // Its request may have been cancelled while the cell was waiting.
    let deadline = ThumbnailDeadline.deadline(onScreenWithPriority: frameContext.priority(of: cell.frame))
    let isMissing = if case .missing = thumbnails.state(of: item, deadline: deadline) { true } else { false }
    // If the cell was prepared before the previews were loaded, its preview may be available now.
    if isMissing, !cell.isBlank || cell.tinyPreview != nil || library.tinyPreview(of: item) == nil { return }
    dataSource.reconfigureItems([item])
  }

  /// Postpones the request of an item that left the screen.
  public func collectionView(
    _ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath
  ) {
    guard let item = (cell as? PictureCell)?.item else { return }
    thumbnails.itemDidDisappear(item)
    thumbnails.postpone(item, at: frameContext.instant)
  }

  /// Passes the current photographs and aspect ratios to the layout.
  public func collectionViewWillPrepareLayout(_ view: CollectionView) {
    layoutInput.contents = LayoutInput.Contents(
      snapshot: dataSource.displayedSnapshot(), aspectRatios: library.aspectRatios)
    pictureSizes.scale = resources?.scale ?? .one
    pictureSizes.invalidate()
  }

  /// Requests the visible and prefetched pictures again if the sizes of cells in pixels changed.
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

extension GalleryScreen {
  /// Handles input that zooms: the wheel with Control, pinch gestures, and Ctrl with plus, minus or 0.
  ///
  /// Plus and minus without Ctrl are text input.
  ///
  /// - Returns: Whether the event was handled.
  func handleZoom(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .wheel(let wheel) where wheel.modifiers.contains(.control):
      zoom(by: zoomWheel.steps(of: wheel.deltaY), around: grid.convertFromWindow(wheel.location))
    case .pinch(let pinch):
      zoom(by: zoomPinch.steps(of: pinch), around: grid.convertFromWindow(pinch.location))
    default: return false
    }
    return true
  }

  /// Zooms by the given number of steps.
  ///
  /// - Parameters:
  ///   - steps: The number of steps. Positive numbers make photographs larger.
  ///   - point: The point that stays in place, in the grid's coordinates. If nil, the first photograph stays in view.
  func zoom(by steps: Int, around point: Point?) {
    if steps != 0, zoom.zoom(by: steps, in: grid.bounds.width) { applyZoom(around: point) }
  }

  /// Shows the photographs in their usual size.
  func resetZoom() { if zoom.reset() { applyZoom(around: nil) } }

  private func applyZoom(around point: Point?) {
    captionPrefetchQueue.removeAll()
    grid.setCollectionViewLayout(
      GalleryLayout.makeLayout(zoom, hasHeaders: library.arrangement.grouping != .none, input: layoutInput),
      animated: true,
      anchoredAt: point)
  }
}
