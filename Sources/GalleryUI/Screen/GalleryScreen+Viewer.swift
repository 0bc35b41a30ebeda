import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import Views

/// The viewer: a picture in the whole window.
extension GalleryScreen {
  /// Opens a photograph in the viewer.
  func openViewer(on item: PhotoID) {
    guard let index = dataSource.flatIndex(of: item) else { return }
    closeOverlay()
    removeViewer()
    cancelSearch()
    toolTipTimer.cancel()
    hideToolTip()
    let view = PictureViewer(theme: theme, brokenIcon: SharedIcon(isBroken: true))
    view.onStep = { [weak self] steps in self?.stepViewer(by: steps) }
    view.onEnd = { [weak self] isLast in
      guard let self else { return }
      showItemInViewer(at: isLast ? dataSource.displayedSnapshot().numberOfItems - 1 : 0)
    }
    view.onClose = { [weak self] in self?.closeViewer() }
    let library = library
    let selected = grid.selection.items
    viewer = ViewerState(
      view: view,
      imageLoader: ViewerImageLoader(pipeline: pipeline, background: theme.viewer) { library.reference(to: $0) },
      fade: ViewerFade(isInstant: grid.reducesMotion), item: item, index: index,
      selectedItem: selected.count == 1 && selected.contains(index) ? item : nil)
    view.opacity = grid.reducesMotion ? 1 : 0
    addSubview(view)
    view.frame = bounds
    window?.firstResponder = view
    updateViewer()
  }

  private func stepViewer(by steps: Int) {
    guard let viewer else { return }
    showItemInViewer(at: min(max(0, viewer.index + steps), dataSource.displayedSnapshot().numberOfItems - 1))
  }

  private func showItemInViewer(at index: Int) {
    guard index != viewer?.index, let item = dataSource.itemIdentifier(atFlatIndex: index) else { return }
    viewer?.item = item
    viewer?.index = index
    updateViewer()
  }

  /// Closes the viewer, and moves the keyboard focus to the viewed photograph.
  ///
  /// The selection follows only if the opened photograph was the only selected one. Other selections stay as they are.
  func closeViewer() {
    guard let viewer, viewer.isOpen else { return }
    self.viewer?.fade.fadeOut(at: max(lastEventInstant, frameContext.instant))
    viewer.imageLoader.cancelAll()
    viewer.view.isUserInteractionEnabled = false
    window?.firstResponder = grid
    let isFollowed = viewer.selectedItem.map { $0 != viewer.item } ?? false
    grid.focusItem(
      at: viewer.index, selects: isFollowed && grid.selection.items.count <= 1, animated: false)
    if grid.reducesMotion { removeViewer() }
    setNeedsDisplay()
  }

  /// Removes the viewer.
  func removeViewer() {
    guard let viewer else { return }
    viewer.imageLoader.cancelAll()
    viewer.view.removeFromSuperview()
    self.viewer = nil
  }

  // MARK: Frames

  /// Advances the fade animation to the time of the frame.
  func advanceViewer(to instant: FrameInstant) {
    guard viewer != nil else { return }
    viewer?.fade.startIfNeeded(at: instant)
    guard let fade = viewer?.fade else { return }
    let opacity = fade.opacity(at: instant)
    if viewer?.view.opacity != opacity { viewer?.view.opacity = opacity }
    if fade.isClosing, !fade.isRunning(at: instant) { removeViewer() }
  }

  /// Handles the arrivals that belong to the viewer.
  func applyViewerArrivals(_ arrivals: [ImageArrival]) {
    for arrival in arrivals {
      guard let viewer, let item = viewer.imageLoader.handleArrival(arrival) else { continue }
      if item == viewer.item {
        updateViewer()
      } else if case .success(let image) = arrival.outcome {
        resources?.uploads.enqueuePrefetch(image.bitmap)
      }
    }
  }

  /// Updates the index of the viewed photograph after updates of the grid.
  ///
  /// If it was removed, the next or the previous one is shown.
  func updateViewedIndex() {
    guard let viewer, viewer.isOpen else { return }
    if let index = dataSource.flatIndex(of: viewer.item) {
      guard index != viewer.index || dataSource.displayedSnapshot().numberOfItems != viewer.count else { return }
      self.viewer?.index = index
    } else {
      let count = dataSource.displayedSnapshot().numberOfItems
      guard count > 0, let item = dataSource.itemIdentifier(atFlatIndex: min(viewer.index, count - 1)) else {
        return closeViewer()
      }
      self.viewer?.item = item
      self.viewer?.index = min(viewer.index, count - 1)
    }
    updateViewer()
  }

  /// Resizes the viewer to the window.
  func layoutViewer() {
    guard let view = viewer?.view, view.frame != bounds else { return }
    view.frame = bounds
    updateViewer()
  }

  // MARK: Content

  private var windowSize: PixelSize? {
    guard let resources else { return nil }
    let pixels = resources.scale.pixelRect(bounds)
    return PixelSize(width: Int(pixels.width), height: Int(pixels.height))
  }

  /// Shows what is available of the viewed photograph, and requests the rest.
  func updateViewer() {
    guard let viewer, viewer.isOpen, let size = windowSize else { return }
    let item = viewer.item
    let count = dataSource.displayedSnapshot().numberOfItems
    self.viewer?.count = count
    let neighbours = [viewer.index + 1, viewer.index - 1].compactMap { index in
      (0..<count).contains(index) ? dataSource.itemIdentifier(atFlatIndex: index) : nil
    }
    viewer.imageLoader.requestImages(for: item, neighbours: neighbours, at: size, now: frameContext.instant)
    let preview = library.tinyPreview(of: item)
    var content = PictureViewer.Content(
      item: item, name: library.caption(of: item),
      details: details(of: item, index: viewer.index, of: count), size: library.size(of: item),
      makePreview: { size in preview?.bitmap(for: size) }, thumbnail: thumbnails.cachedPicture(of: item))
    content.failure = library.failure(of: item)
    switch viewer.imageLoader.state(of: item, at: size) {
    case .picture(let bitmap): content.picture = bitmap
    case .preview(let bitmap): (content.picture, content.isPreview) = (bitmap, true)
    case .failure(let failure): content.failure = content.failure ?? library.failureText(for: failure, of: item)
    case .missing: break
    }
    if content.failure != nil { (content.thumbnail, content.picture) = (nil, nil) }
    viewer.view.show(content)
  }

  /// Returns the position and size of a picture, or the current notice, because the viewer covers the title bar.
  private func details(of item: PhotoID, index: Int, of count: Int) -> String {
    if let notice { return notice.text }
    let bytes = library.byteCount(of: item)
    let parts = [
      "\(CountFormat.number(index + 1)) of \(CountFormat.number(count))", library.extentText(of: item),
      bytes > 0 ? CountFormat.bytes(bytes) : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "   ")
  }
}
