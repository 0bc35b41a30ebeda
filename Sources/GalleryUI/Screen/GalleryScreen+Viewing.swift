import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import Views

/// A picture in the whole window, and back.
extension GalleryScreen {
  /// Opens a photograph.
  func openViewer(on item: PhotoID) {
    guard let place = dataSource.flatIndex(of: item) else { return }
    closeOverlay()
    endViewing()
    stopFinding()
    hover.disturb()
    hideTip()
    let view = PictureViewer(theme: theme, brokenIcon: SharedIcon(isBroken: true))
    view.onStep = { [weak self] steps in self?.step(by: steps) }
    view.onEnd = { [weak self] isLast in
      guard let self else { return }
      look(at: isLast ? dataSource.shownSnapshot().numberOfItems - 1 : 0)
    }
    view.onClose = { [weak self] in self?.closeViewer() }
    let library = library
    let selected = grid.selection.items
    viewing = Viewing(
      view: view,
      pictures: ViewerPictures(pipeline: pipeline, background: theme.viewer) { library.reference(to: $0) },
      course: ViewerCourse(isInstant: grid.reducesMotion), item: item, place: place,
      selected: selected.count == 1 && selected.contains(place) ? item : nil)
    view.opacity = grid.reducesMotion ? 1 : 0
    addSubview(view)
    view.frame = bounds
    window?.firstResponder = view
    showViewed()
  }

  private func step(by steps: Int) {
    guard let viewing else { return }
    look(at: min(max(0, viewing.place + steps), dataSource.shownSnapshot().numberOfItems - 1))
  }

  private func look(at place: Int) {
    guard place != viewing?.place, let item = dataSource.itemIdentifier(atFlatIndex: place) else { return }
    viewing?.item = item
    viewing?.place = place
    showViewed()
  }

  /// Goes back to the photographs, to the one that was looked at.
  ///
  /// The keyboard goes there. The selection does too, but only where the picture that was opened was all of it: several that
  /// somebody has chosen, or none, are no place where one is.
  func closeViewer() {
    guard let viewing, viewing.isOpen else { return }
    self.viewing?.course.close(at: max(lastEvent, moment.instant))
    viewing.pictures.letGo()
    viewing.view.isInteractive = false
    window?.firstResponder = grid
    let isFollowed = viewing.selected.map { $0 != viewing.item } ?? false
    grid.focusItem(
      at: viewing.place, selects: isFollowed && grid.selection.items.count <= 1, animated: false)
    if grid.reducesMotion { endViewing() }
    setNeedsDisplay()
  }

  /// Takes the viewer away.
  func endViewing() {
    guard let viewing else { return }
    viewing.pictures.letGo()
    viewing.view.removeFromSuperview()
    self.viewing = nil
  }

  // MARK: Frames

  /// The frame's moment: it fades in or out.
  func advanceViewer(to instant: FrameInstant) {
    guard viewing != nil else { return }
    viewing?.course.begin(at: instant)
    guard let course = viewing?.course else { return }
    let opacity = course.opacity(at: instant)
    if viewing?.view.opacity != opacity { viewing?.view.opacity = opacity }
    if course.isClosing, !course.isRunning(at: instant) { endViewing() }
  }

  /// Takes answers of the image pipeline that are for the viewer.
  func takeViewed(_ arrivals: [ImageArrival]) {
    for arrival in arrivals {
      guard let viewing, let item = viewing.pictures.take(arrival) else { continue }
      if item == viewing.item {
        showViewed()
      } else if case .success(let image) = arrival.outcome {
        resources?.uploads.enqueueAhead(image.bitmap)
      }
    }
  }

  /// Photographs came, went, or stand elsewhere: one that is gone gives way to the next, or to the one before.
  func followViewed() {
    guard let viewing, viewing.isOpen else { return }
    if let place = dataSource.flatIndex(of: viewing.item) {
      guard place != viewing.place || dataSource.shownSnapshot().numberOfItems != viewing.count else { return }
      self.viewing?.place = place
    } else {
      let count = dataSource.shownSnapshot().numberOfItems
      guard count > 0, let item = dataSource.itemIdentifier(atFlatIndex: min(viewing.place, count - 1)) else {
        return closeViewer()
      }
      self.viewing?.item = item
      self.viewing?.place = min(viewing.place, count - 1)
    }
    showViewed()
  }

  /// The window has another size.
  func layoutViewer() {
    guard let view = viewing?.view, view.frame != bounds else { return }
    view.frame = bounds
    showViewed()
  }

  // MARK: Content

  private var windowSize: PixelSize? {
    guard let resources else { return nil }
    let pixels = resources.scale.pixels(bounds)
    return PixelSize(width: Int(pixels.width), height: Int(pixels.height))
  }

  /// Shows what is known of the picture that is looked at, and asks for the rest.
  func showViewed() {
    guard let viewing, viewing.isOpen, let size = windowSize else { return }
    let item = viewing.item
    let count = dataSource.shownSnapshot().numberOfItems
    self.viewing?.count = count
    let neighbours = [viewing.place + 1, viewing.place - 1].compactMap { place in
      (0..<count).contains(place) ? dataSource.itemIdentifier(atFlatIndex: place) : nil
    }
    viewing.pictures.want(item, then: neighbours, at: size, now: moment.instant)
    let preview = library.tinyPreview(of: item)
    var content = PictureViewer.Content(
      item: item, name: library.caption(of: item),
      facts: facts(of: item, place: viewing.place, of: count), size: library.size(of: item),
      roughForms: { size in preview?.bitmap(for: size) }, thumbnail: thumbnails.presentPicture(of: item))
    content.failure = library.failure(of: item)
    switch viewing.pictures.state(of: item, at: size) {
    case .picture(let bitmap): content.picture = bitmap
    case .preview(let bitmap): (content.picture, content.isPreview) = (bitmap, true)
    case .failure(let failure): content.failure = content.failure ?? library.words(for: failure, of: item)
    case .missing: break
    }
    if content.failure != nil { (content.thumbnail, content.picture) = (nil, nil) }
    viewing.view.show(content)
  }

  /// Which of how many a picture is, and its extent; what is told for a while first, as the bar is beneath.
  private func facts(of item: PhotoID, place: Int, of count: Int) -> String {
    if let notice { return notice.text }
    let bytes = library.byteCount(of: item)
    let parts = [
      "\(Counted.number(place + 1)) of \(Counted.number(count))", library.extentText(of: item),
      bytes > 0 ? Counted.bytes(bytes) : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "   ")
  }
}
