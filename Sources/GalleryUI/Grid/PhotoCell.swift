import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// A cell that shows a photograph, with or without its name below.
final class PhotoCell: PictureCell {
  private let caption = Label(style: Theme.captionStyle, color: .white)

  required init() {
    super.init()
    caption.lineBreakMode = PhotoCell.captionTruncation
    caption.allowsDeferredLine = true
    addSubview(caption)
    themeDidChange()
  }

  override func themeDidChange() {
    super.themeDidChange()
    caption.textColor = theme.secondaryText
  }

  override var captionText: String {
    get { caption.text }
    set { caption.text = newValue }
  }

  /// Whether the name is shown below the picture.
  ///
  /// Otherwise the picture fills the cell.
  var showsCaption: Bool {
    get { !caption.isHidden }
    set {
      guard newValue == caption.isHidden else { return }
      caption.isHidden = !newValue
      setNeedsLayout()
    }
  }

  override func isNameTruncated(in resources: RenderResources) -> Bool {
    !showsCaption || caption.measuredWidth(in: resources) > caption.frame.width
  }

  override var pictureArea: Rect {
    let caption = showsCaption ? Metrics.captionHeight : 0
    return Rect(x: 0, y: 0, width: bounds.width, height: max(0, bounds.height - caption))
  }

  /// Renders a caption in advance, as a cell of the given width will show it.
  static func prepareCaption(_ name: String, cellWidth: Double, in resources: RenderResources) {
    resources.prepareLine(
      name, style: Theme.captionStyle, width: captionWidth(of: cellWidth), truncation: captionTruncation)
  }

  private static let captionTruncation = LineBreakMode.byTruncatingMiddle
  private static let captionInset = 2.0

  private static func captionWidth(of cellWidth: Double) -> Double { max(0, cellWidth - 2 * captionInset) }

  override func layoutSubviews() {
    super.layoutSubviews()
    caption.frame = Rect(
      x: PhotoCell.captionInset, y: pictureArea.maxY, width: PhotoCell.captionWidth(of: bounds.width),
      height: Metrics.captionHeight)
  }
}

/// A provider of the grid's cells, with one registration for each kind of cell.
final class PhotoCellProvider {
  private let photo: CellRegistration<PhotoCell, PhotoID>
  private let row: CellRegistration<RowCell, PhotoID>
  private let sizes: PictureSizes
  /// The colors of the cells that are made or configured.
  var theme: Theme

  /// Creates the registrations.
  ///
  /// - Parameters:
  ///   - library: The model of the library.
  ///   - thumbnails: The pictures of the cells.
  ///   - frameContext: The time of the frame and the scroll position.
  ///   - sizes: The sizes of the pictures.
  ///   - theme: The colors.
  ///   - isUploaded: A closure that returns whether a bitmap has a texture, so that the cell can show it immediately.
  init(
    library: LibraryModel, thumbnails: ThumbnailLoader, frameContext: FrameContext, sizes: PictureSizes, theme: Theme,
    isUploaded: @escaping (Bitmap) -> Bool
  ) {
    self.theme = theme
    self.sizes = sizes
    let brokenIcon = SharedIcon(isBroken: true)
    let tickIcon = SharedIcon(.tick)
    func configure(
      _ cell: PictureCell, _ path: IndexPath, _ item: PhotoID, _ frameContext: FrameContext?, _ sizes: PictureSizes?
    ) {
      // The size is set if the cell already shows the item and is being reconfigured.
      let wasConfigured = cell.requestedSize != nil
      cell.item = item
      cell.requestedSize = sizes?.size(of: item)
      cell.brokenIcon = brokenIcon
      cell.tickIcon = tickIcon
      cell.setName(library.caption(of: item), folder: library.captionFolder(of: item))
      if let failure = library.descriptions.failure(of: item) {
        cell.content = .broken(failure)
        cell.tinyPreview = nil
        return
      }
      var (isVisible, isMissing) = (false, false)
      switch thumbnails.state(of: item, deadline: frameContext?.deadline(of: path) ?? .zero) {
      case .image(let bitmap, let isDamaged):
        cell.content = .picture(bitmap, isDamaged: isDamaged)
        isVisible = isUploaded(bitmap)
      case .preview(let bitmap):
        cell.content = .preview(bitmap)
        isVisible = isUploaded(bitmap)
      case .failure(let failure):
        cell.content = .broken(library.failureText(for: failure, of: item))
        isVisible = true
      case .missing:
        cell.showPlaceholderIfEmpty()
        isMissing = true
      }
      // The tiny preview is removed only together with the appearance of the picture, so that the cell is never blank.
      // A plain surface stays if its picture appears in the next frame, because a tiny preview would be drawn for this
      // frame only.
      if isVisible {
        cell.tinyPreview = nil
      } else if isMissing || !wasConfigured || cell.tinyPreview != nil {
        cell.tinyPreview = library.tinyPreview(of: item)
      }
    }
    photo = CellRegistration { [weak frameContext, weak sizes] cell, path, item in
      let isCaptioned = sizes?.kind == .grid
      cell.showsCaption = isCaptioned
      cell.cornerRadius = isCaptioned ? Metrics.cornerRadius : Metrics.smallCornerRadius
      configure(cell, path, item, frameContext, sizes)
    }
    row = CellRegistration { [weak frameContext, weak sizes] cell, path, item in
      cell.date = library.descriptions.dateText(of: item)
      cell.extent = library.descriptions.extentText(of: item)
      configure(cell, path, item, frameContext, sizes)
    }
  }

  func makeCell(_ view: CollectionView, _ path: IndexPath, _ item: PhotoID) -> CollectionViewCell {
    let cell: PictureCell =
      sizes.kind == .list
      ? view.dequeueConfiguredReusableCell(using: row, for: path, item: item)
      : view.dequeueConfiguredReusableCell(using: photo, for: path, item: item)
    if cell.theme != theme { cell.applyTheme(theme) }
    return cell
  }
}

/// A lookup of the bitmaps that have a texture.
///
/// Without a window, none has.
final class UploadedTextureLookup {
  /// The rendering resources of the window.
  weak var resources: RenderResources?

  /// Returns whether a bitmap has a texture.
  func contains(_ bitmap: Bitmap) -> Bool { resources?.textures.texture(for: bitmap) != nil }
}

/// A queue of captions to render in the slack of frames, with an estimate of the cost of rendering one.
///
/// Rendering a caption costs more than the rest of a cell. A caption that was rendered in advance costs only a copy
/// when its row appears.
struct CaptionPrefetchQueue {
  private var pendingItems: [PhotoID] = []
  /// The expected cost, which rises quickly, falls slowly, and does not start at zero.
  private(set) var expectedCost = FrameDuration.microseconds(300)
  /// With more items than a few screens have, the first ones have scrolled out of view before they are rendered.
  private static let maximumCount = 512

  /// Whether the queue is empty.
  var isEmpty: Bool { pendingItems.isEmpty }

  /// Adds items in the order in which they will appear, ahead of the items in the queue.
  mutating func add(_ items: [PhotoID]) {
    pendingItems.insert(contentsOf: items.reversed(), at: pendingItems.count)
    if pendingItems.count > CaptionPrefetchQueue.maximumCount {
      pendingItems.removeFirst(pendingItems.count - CaptionPrefetchQueue.maximumCount)
    }
  }

  /// Removes and returns the next item.
  mutating func next() -> PhotoID? { pendingItems.popLast() }

  /// Records the cost of rendering a caption.
  mutating func recordCost(_ cost: FrameDuration) {
    expectedCost = cost > expectedCost ? cost : expectedCost + (cost - expectedCost) * 0.05
  }

  /// Removes all items, because the width of captions changed.
  mutating func removeAll() { pendingItems.removeAll() }
}
