import CollectionUI
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// A cell that shows a photograph: its picture, a placeholder, or the reason why it cannot be shown.
///
/// Subclasses add and arrange the other subviews.
class PictureCell: CollectionViewCell, ThemedView {
  /// The content of the picture area.
  enum Content {
    /// No picture yet.
    case placeholder
    /// The picture, in exactly the size of the picture area in pixels. A damaged picture contains what could be
    /// decoded.
    case picture(Bitmap, isDamaged: Bool)
    /// The thumbnail embedded in the file, enlarged, until the picture is available.
    case preview(Bitmap)
    /// A short reason why the photograph cannot be shown.
    case broken(String)
  }

  private let pictureView = ImageView()
  private var brokenView: BrokenPictureView?
  private var badge: DamagedBadge?
  private var tick: SelectionTick?
  /// The state that was last applied.
  private var appliedState = CellConfigurationState()
  final var theme = Theme.dark {
    didSet { themeDidChange() }
  }

  /// The photograph.
  final var item: PhotoID?
  /// The size in pixels of the last requested picture.
  final var requestedSize: PixelSize?
  /// The icon for photographs that cannot be shown, shared by all cells.
  final var brokenIcon = SharedIcon(isBroken: true)
  /// The icon of selected photographs, shared by all cells.
  final var tickIcon = SharedIcon(.tick)

  required init() {
    super.init()
    pictureView.cornerRadius = Metrics.cornerRadius
    pictureView.isUserInteractionEnabled = false
    addSubview(pictureView)
  }

  /// Applies the colors of the theme.
  ///
  /// Overrides must call super. Subclasses call the method at the end of their initializers.
  func themeDidChange() {
    pictureView.cornerColor = cornerColor
    pictureView.placeholderColor = placeholderColor
    setNeedsDisplay()
  }

  /// The color of the picture area without a picture.
  private var placeholderColor: Color {
    if case .broken = content { theme.brokenSurface } else { theme.placeholder }
  }

  /// The photograph's name for display.
  private(set) final var name = ""

  /// Sets the name, and the folder that the caption names in addition, or nil.
  final func setName(_ name: String, folder: String?) {
    self.name = name
    let text = PictureCell.caption(name: name, folder: folder)
    if text != captionText { captionText = text }
  }

  /// Returns the text of a caption.
  nonisolated static func caption(name: String, folder: String?) -> String {
    folder.map { "\(name) · \($0)" } ?? name
  }

  /// The text of the caption.
  var captionText: String {
    get { "" }
    set {}
  }

  /// Returns whether the name is truncated or hidden.
  func isNameTruncated(in resources: RenderResources) -> Bool { true }

  override var accessibilityLabel: String { captionText.isEmpty ? name : captionText }

  /// The file type, or the reason why the photograph cannot be shown.
  override var accessibilityValue: String {
    if case .broken(let reason) = content { return reason }
    return FileTypeDescription.text(forFileNamed: name)
  }

  /// The frame of the picture in the cell.
  var pictureArea: Rect { bounds }

  /// Whether the picture area has space for text.
  ///
  /// Otherwise text is shown elsewhere or omitted.
  var hasSpaceForText: Bool { true }

  /// The tiny, blurred preview that is shown until more of the photograph is available.
  ///
  /// It is rendered at ``requestedSize``.
  final var tinyPreview: TinyPreview? {
    didSet {
      guard tinyPreview != oldValue || tinyPreviewSize != requestedSize else { return }
      tinyPreviewSize = requestedSize
      pictureView.placeholderImage = tinyPreview.flatMap { preview in requestedSize.flatMap(preview.bitmap) }
    }
  }
  /// The size at which the tiny preview was rendered.
  private var tinyPreviewSize: PixelSize?

  /// The corner radius of the picture.
  final var cornerRadius: Double {
    get { pictureView.cornerRadius }
    set {
      guard newValue != pictureView.cornerRadius else { return }
      pictureView.cornerRadius = newValue
      setNeedsDisplay()
    }
  }

  /// The content of the picture area.
  final var content: Content = .placeholder {
    didSet { contentDidChange() }
  }

  // MARK: Selection and focus

  /// Applies whether the photograph is selected and whether it has the keyboard focus.
  override func updateConfiguration(using state: CellConfigurationState) {
    // Hovered and pressed cells look like all others.
    guard state.isSelected != appliedState.isSelected || state.isFocused != appliedState.isFocused else { return }
    appliedState = state
    pictureView.cornerColor = cornerColor
    if state.isSelected, tick == nil { tick = SelectionTick(theme: theme, icon: tickIcon) }
    layoutTick()
    setNeedsDisplay()
  }

  /// The color around the picture, with which its corners are painted over.
  var cornerColor: Color { isSelected ? theme.accent : theme.background }

  override func draw(in context: DrawContext) {
    let (ring, gap) = (Metrics.selectionWidth, Metrics.focusWidth)
    if configurationState.isFocused {
      context.fillRing(
        around: pictureView.frame, width: ring + gap, cornerRadius: cornerRadius, theme.primaryText)
      context.fillRing(around: pictureView.frame, width: ring, cornerRadius: cornerRadius, cornerColor)
    } else if isSelected {
      context.fillRing(around: pictureView.frame, width: ring, cornerRadius: cornerRadius, theme.accent)
    }
  }

  /// Moves the tick to its corner, in front of all other subviews, or removes it if the picture is too small.
  private func layoutTick() {
    guard let tick else { return }
    let (area, size, inset) = (pictureView.frame, SelectionTick.size, SelectionTick.inset)
    guard isSelected, showsTick, area.width >= 3 * size.width, area.height >= 2 * size.height else {
      return tick.removeFromSuperview()
    }
    if subviews.last !== tick { addSubview(tick) }
    tick.frame = Rect(
      x: area.maxX - inset - size.width, y: area.minY + inset, width: size.width, height: size.height)
  }

  /// Whether a tick in the picture marks a selected photograph.
  ///
  /// Otherwise the subclass marks it in another way.
  var showsTick: Bool { true }

  // MARK: Content

  /// Shows the placeholder, unless the cell shows the same picture at another size.
  final func showPlaceholderIfEmpty() {
    switch content {
    case .picture, .preview: return
    case .placeholder, .broken: content = .placeholder
    }
  }

  /// Whether the cell shows neither the picture nor a reason why it cannot be shown.
  final var isWaiting: Bool {
    switch content {
    case .broken: false
    case .preview: true
    case .picture, .placeholder: !pictureView.showsImage
    }
  }

  /// Whether the cell shows the reason why the photograph cannot be shown.
  final var showsFailure: Bool {
    if case .broken = content { true } else { false }
  }

  /// Whether the picture area is empty.
  final var isBlank: Bool {
    if case .broken = content { return false }
    return !pictureView.showsImage && !pictureView.showsPlaceholderImage
  }

  /// Releases the picture and its texture, of which a pool of cells would otherwise keep more than the cache may.
  override func willEnterReusePool() {
    content = .placeholder
    tinyPreview = nil
    requestedSize = nil
  }

  override func layoutSubviews() {
    pictureView.frame = pictureArea
    brokenView?.frame = pictureView.frame
    layoutBadge()
    layoutTick()
  }

  /// Shows the content.
  ///
  /// Overrides must call super.
  func contentDidChange() {
    switch content {
    case .placeholder:
      pictureView.image = nil
      pictureView.placeholderColor = placeholderColor
      brokenView?.isHidden = true
    case .picture(let bitmap, let isDamaged):
      pictureView.image = bitmap
      brokenView?.isHidden = true
      guard isDamaged else { break }
      if badge == nil { makeBadge() }
      layoutBadge()
      return
    case .preview(let bitmap):
      pictureView.image = bitmap
      brokenView?.isHidden = true
    case .broken(let reason):
      pictureView.image = nil
      pictureView.placeholderColor = placeholderColor
      let view = brokenView ?? makeBrokenView()
      view.reason = hasSpaceForText ? reason : ""
      view.isHidden = false
    }
    badge?.isHidden = true
  }

  private func makeBadge() {
    let view = DamagedBadge(theme: theme)
    addSubview(view)
    badge = view
    layoutTick()
  }

  /// Moves the badge to its corner, or hides it if the picture is too small.
  private func layoutBadge() {
    guard let badge, case .picture(_, isDamaged: true) = content else { return }
    let inset = 8.0
    let (area, size) = (pictureView.frame, DamagedBadge.size)
    badge.isHidden = !hasSpaceForText || area.width < size.width + 2 * inset || area.height < size.height + 2 * inset
    badge.frame = Rect(
      x: area.minX + inset, y: area.maxY - inset - size.height, width: size.width, height: size.height)
  }

  private func makeBrokenView() -> BrokenPictureView {
    let view = BrokenPictureView(theme: theme, icon: brokenIcon)
    view.frame = pictureView.frame
    addSubview(view)
    brokenView = view
    layoutTick()
    return view
  }
}

// MARK: - File types

/// A description of file types.
private nonisolated enum FileTypeDescription {
  /// Returns the type of a file by its extension, for example "JPEG picture".
  static func text(forFileNamed name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "picture" }
    let ending = name[name.index(after: dot)...].uppercased()
    switch ending {
    case "": return "picture"
    case "JPG", "JPEG", "JPE": return "JPEG picture"
    case "TIF", "TIFF": return "TIFF picture"
    case "HEIC", "HEIF", "HIF": return "HEIF picture"
    case "WEBP": return "WebP picture"
    case "PNG", "GIF", "AVIF": return ending + " picture"
    default: return "picture"
    }
  }
}
