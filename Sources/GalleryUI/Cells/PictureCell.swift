import CollectionUI
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import Views

/// Shows a photograph: its picture, or a surface until it is there, or why it cannot be shown.
///
/// What stands beside the picture, and where, is its subclasses' affair.
class PictureCell: CollectionViewCell {
  /// What a photograph's place shows.
  enum Content {
    /// Not there yet.
    case placeholder
    /// The picture, of exactly the place's size in pixels; a damaged one is what could be saved of it.
    case picture(Bitmap, isDamaged: Bool)
    /// The small picture that its file carries, enlarged, until its own is there.
    case preview(Bitmap)
    /// Not to be shown, and why in a few words.
    case broken(String)
  }

  private let pictureView = ImageView()
  private var brokenView: BrokenPictureView?
  private var badge: DamagedBadge?
  private var tick: SelectionTick?
  /// What was put on last.
  private var appliedState = CellConfigurationState()
  final let theme = Theme.dark

  /// The photograph that it shows.
  final var item: PhotoID?
  /// The size in pixels of the picture that was asked for last.
  final var requestedSize: PixelSize?
  /// What stands for a picture that cannot be shown; shared by all cells.
  final var brokenIcon = SharedIcon(isBroken: true)
  /// What marks a selected photograph; shared by all cells.
  final var tickIcon = SharedIcon { TickIcon.bitmap(side: $0) }

  required init() {
    super.init()
    pictureView.cornerRadius = Metrics.cornerRadius
    pictureView.cornerColor = theme.background
    pictureView.placeholderColor = theme.placeholder
    pictureView.isInteractive = false
    addSubview(pictureView)
  }

  /// The photograph's name, ready to be shown.
  var name: String {
    get { "" }
    set {}
  }

  /// Whether there is more to the name than is seen, in the place that it has now.
  func isNameTruncated(in resources: RenderResources) -> Bool { true }

  override var accessibilityLabel: String { name }

  /// The file's kind, or why it cannot be shown.
  override var accessibilityValue: String {
    if case .broken(let reason) = content { return reason }
    return FileTypeDescription.text(forFileNamed: name)
  }

  /// Where the picture stands in the cell.
  var pictureArea: Rect { bounds }

  /// Whether the picture's place has room for words; otherwise they stand elsewhere, or nowhere.
  var hasSpaceForText: Bool { true }

  /// What is shown of the photograph, small and blurred, until more of it is there.
  ///
  /// Painted for the size that was asked for last.
  final var tinyPreview: TinyPreview? {
    didSet {
      guard tinyPreview != oldValue || tinyPreviewSize != requestedSize else { return }
      tinyPreviewSize = requestedSize
      pictureView.placeholderImage = tinyPreview.flatMap { preview in requestedSize.flatMap(preview.bitmap) }
    }
  }
  /// The size for which it was painted.
  private var tinyPreviewSize: PixelSize?

  /// The roundness of the picture.
  final var cornerRadius: Double {
    get { pictureView.cornerRadius }
    set {
      guard newValue != pictureView.cornerRadius else { return }
      pictureView.cornerRadius = newValue
      setNeedsDisplay()
    }
  }

  /// What its place shows.
  final var content: Content = .placeholder {
    didSet { contentDidChange() }
  }

  // MARK: What is done with it

  /// Puts on whether the photograph is selected, and whether the keyboard is at it.
  override func updateConfiguration(using state: CellConfigurationState) {
    // What is pointed at and pressed looks as ever.
    guard state.isSelected != appliedState.isSelected || state.isFocused != appliedState.isFocused else { return }
    appliedState = state
    pictureView.cornerColor = cornerColor
    if state.isSelected, tick == nil { tick = SelectionTick(theme: theme, icon: tickIcon) }
    layoutTick()
    setNeedsDisplay()
  }

  /// What the picture's corners are painted over with: what lies around it.
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

  /// Puts the tick into its corner, in front of all else, where the picture is not too small for it.
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

  /// Whether a tick in the picture says that it is selected; otherwise something beside it does.
  var showsTick: Bool { true }

  // MARK: Content

  /// There is no picture yet: keeps another size of the same one, or shows the surface.
  final func showPlaceholderIfEmpty() {
    switch content {
    case .picture, .preview: return
    case .placeholder, .broken: content = .placeholder
    }
  }

  /// Whether the place shows neither the picture nor a reason why there is none.
  final var isWaiting: Bool {
    switch content {
    case .broken: false
    case .preview: true
    case .picture, .placeholder: !pictureView.showsImage
    }
  }

  /// Whether the place shows nothing at all.
  final var isBlank: Bool {
    if case .broken = content { return false }
    return !pictureView.showsImage && !pictureView.showsPlaceholderImage
  }

  override func prepareForReuse() {
    super.prepareForReuse()
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

  /// Shows the content; overriders call super.
  func contentDidChange() {
    switch content {
    case .placeholder:
      pictureView.image = nil
      pictureView.placeholderColor = theme.placeholder
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
      pictureView.placeholderColor = theme.brokenSurface
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

  /// Puts the badge into its corner, or leaves it out where it would reach over the picture's edges.
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
