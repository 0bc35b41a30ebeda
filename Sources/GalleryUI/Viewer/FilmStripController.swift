import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// What ``FilmStripController`` needs from the viewer.
protocol FilmStripHost: AnyObject {
  /// The number of photographs, and the one at an index.
  var photographCount: Int { get }
  func photograph(at index: Int) -> PhotoID?
  /// Returns the source of a photograph's pixels and its name.
  func reference(to item: PhotoID) -> PhotoReference?
  func caption(of item: PhotoID) -> String
  /// Returns the thumbnail of the grid, in any size, or nil if it is not in memory.
  func cachedThumbnail(of item: PhotoID) -> Bitmap?
  /// Shows another photograph.
  func showPhotograph(at index: Int)
}

/// The owner of the viewer's film strip: the thumbnails beside the viewed one.
///
/// Invariants:
/// - Pictures are requested only of visible thumbnails and those that are prepared, while the strip is shown.
/// - The strip follows the viewed photograph, and not the other way round, until a thumbnail is clicked.
final class FilmStripController {
  private unowned let host: any FilmStripHost
  private let pipeline: ImagePipeline
  private weak var viewer: PictureViewer?
  private var view: FilmStripView?
  private lazy var cells = CellRegistration<FilmStripCell, Int> { [weak self] cell, path, _ in
    self?.configure(cell, at: path.item)
  }
  private var requests: [PhotoID: ImageTicket] = [:]
  private var index = 0
  private var count = 0

  /// Creates the owner of a hidden strip.
  init(host: any FilmStripHost, pipeline: ImagePipeline) {
    self.host = host
    self.pipeline = pipeline
  }

  /// Whether the strip is shown while a picture is viewed.
  var isShown = false {
    didSet { if isShown != oldValue { update() } }
  }

  /// The visible thumbnails, for tests.
  var visibleCells: [FilmStripCell] { view?.list.visibleCells.compactMap { $0 as? FilmStripCell } ?? [] }

  /// Sets what is viewed.
  ///
  /// - Parameters:
  ///   - index: The index of the photograph.
  ///   - viewer: The viewer that shows it.
  func photographDidChange(_ index: Int, in viewer: PictureViewer) {
    if self.viewer !== viewer { removeView() }
    self.viewer = viewer
    let last = self.index
    self.index = index
    guard let view else { return update() }
    if count != host.photographCount { reload() }
    guard index != last else { return }
    for (index, isCurrent) in [(last, false), (index, true)] {
      (view.list.cellForItem(at: IndexPath(item: index, section: 0)) as? FilmStripCell)?.setCurrent(isCurrent)
    }
    view.center(index, isAnimated: (index - last).magnitude < 20)
  }

  /// Shows photographs that have been added, removed or moved, or whose pictures are to be requested again.
  func photographsDidChange() { if view != nil { reload() } }

  /// Removes the strip, because the viewer is closed.
  func viewerDidClose() {
    removeView()
    viewer = nil
  }

  private func update() {
    guard isShown, let viewer, let window = viewer.window else { return removeView() }
    guard view == nil else { return }
    let view = FilmStripView(theme: viewer.theme)
    self.view = view
    _ = cells
    view.list.delegate = self
    view.list.dataSource = self
    viewer.filmStrip = view
    window.addParticipant(view.list)
    reload()
  }

  private func reload() {
    count = host.photographCount
    view?.list.reloadData()
    view?.center(index, isAnimated: false)
  }

  private func removeView() {
    for (_, ticket) in requests { pipeline.cancel(ticket) }
    requests = [:]
    guard let view else { return }
    view.window?.removeParticipant(view.list)
    viewer?.filmStrip = nil
    self.view = nil
  }

  // MARK: - Thumbnails

  private func configure(_ cell: FilmStripCell, at index: Int) {
    guard let view, let item = host.photograph(at: index) else { return }
    cell.show(name: host.caption(of: item), isCurrent: index == self.index, theme: view.theme) { [weak self] in
      self?.host.showPhotograph(at: index)
    }
    guard let photo = host.reference(to: item), let key = key(of: photo) else { return }
    let image = pipeline.image(for: key)
    if let image, image.representation == .full { return cell.show(image.bitmap) }
    cell.show(image?.bitmap ?? host.cachedThumbnail(of: item))
    guard requests[item] == nil, pipeline.canAttempt(key) else { return }
    requests[item] = pipeline.request(
      ImageRequest(
        key: key, source: photo.source, background: view.theme.viewerBar.packed, fileBytes: photo.fileBytes,
        hasPreview: photo.hasPreview, fingerprint: photo.fingerprint),
      // On screen, after the viewed picture.
      deadline: FrameInstant(nanoseconds: .min / 4)
    ) { [weak self] outcome in
      guard let self else { return }
      requests[item] = nil
      if case .success(let image) = outcome { show(image.bitmap, of: item) }
    }
  }

  private func show(_ picture: Bitmap, of item: PhotoID) {
    guard let list = view?.list else { return }
    for path in list.indexPathsForVisibleItems where host.photograph(at: path.item) == item {
      (list.cellForItem(at: path) as? FilmStripCell)?.show(picture)
    }
  }

  private func key(of photo: PhotoReference) -> ImageKey? {
    guard let scale = viewer?.window?.resources.scale else { return nil }
    let rect = scale.pixelRect(Rect(x: 0, y: 0, width: FilmStripView.side, height: FilmStripView.side))
    return PixelSize(width: Int(rect.width), height: Int(rect.height)).map {
      ImageKey(source: photo.sourceID, size: $0, fit: .fill)
    }
  }
}

extension FilmStripController: CollectionViewDataSource, CollectionViewDelegate {
  func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { count }

  func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
    view.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: indexPath.item)
  }

  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    guard let item = host.photograph(at: indexPath.item), let ticket = requests.removeValue(forKey: item) else {
      return
    }
    pipeline.cancel(ticket)
  }
}
