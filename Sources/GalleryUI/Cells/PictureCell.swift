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

  private let picture = ImageView()
  private var brokenView: BrokenPictureView?
  private var badge: DamagedBadge?
  private var tick: SelectionTick?
  /// What was put on last.
  private var look = CellConfigurationState()
  final let theme = Theme.dark

  /// The photograph that it shows.
  final var item: PhotoID?
  /// The size in pixels of the picture that was asked for last.
  final var askedSize: PixelSize?
  /// What stands for a picture that cannot be shown; shared by all cells.
  final var brokenIcon = SharedIcon(isBroken: true)
  /// What marks a selected photograph; shared by all cells.
  final var tickIcon = SharedIcon { TickIcon.bitmap(side: $0) }

  required init() {
    super.init()
    picture.cornerRadius = Metrics.cornerRadius
    picture.cornerColor = theme.background
    picture.placeholderColor = theme.placeholder
    picture.isInteractive = false
    addSubview(picture)
  }

  /// The photograph's name, ready to be shown.
  var name: String {
    get { "" }
    set {}
  }

  /// Whether there is more to the name than is seen, in the place that it has now.
  func isNameCut(in resources: RenderResources) -> Bool { true }

  override var accessibilityLabel: String { name }

  /// The file's kind, or why it cannot be shown.
  override var accessibilityValue: String {
    if case .broken(let reason) = content { return reason }
    return PictureKind.words(forFileNamed: name)
  }

  /// Where the picture stands in the cell.
  var pictureArea: Rect { bounds }

  /// Whether the picture's place has room for words; otherwise they stand elsewhere, or nowhere.
  var hasRoomForWords: Bool { true }

  /// What is shown of the photograph, small and blurred, until more of it is there.
  ///
  /// Painted for the size that was asked for last.
  final var tinyPreview: TinyPreview? {
    didSet {
      guard tinyPreview != oldValue || paintedSize != askedSize else { return }
      paintedSize = askedSize
      picture.placeholderImage = tinyPreview.flatMap { preview in askedSize.flatMap(preview.bitmap) }
    }
  }
  /// The size for which it was painted.
  private var paintedSize: PixelSize?

  /// The roundness of the picture.
  final var cornerRadius: Double {
    get { picture.cornerRadius }
    set {
      guard newValue != picture.cornerRadius else { return }
      picture.cornerRadius = newValue
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
    guard state.isSelected != look.isSelected || state.isFocused != look.isFocused else { return }
    look = state
    picture.cornerColor = cornerColor
    if state.isSelected, tick == nil { tick = SelectionTick(theme: theme, icon: tickIcon) }
    placeTick()
    setNeedsDisplay()
  }

  /// What the picture's corners are painted over with: what lies around it.
  var cornerColor: Color { isSelected ? theme.accent : theme.background }

  override func draw(in context: DrawContext) {
    let (ring, gap) = (Metrics.selectionWidth, Metrics.focusWidth)
    if configurationState.isFocused {
      context.fillRing(
        around: picture.frame, width: ring + gap, cornerRadius: cornerRadius, theme.primaryText)
      context.fillRing(around: picture.frame, width: ring, cornerRadius: cornerRadius, cornerColor)
    } else if isSelected {
      context.fillRing(around: picture.frame, width: ring, cornerRadius: cornerRadius, theme.accent)
    }
  }

  /// Puts the tick into its corner, in front of all else, where the picture is not too small for it.
  private func placeTick() {
    guard let tick else { return }
    let (area, size, inset) = (picture.frame, SelectionTick.size, SelectionTick.inset)
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
  final func keepWhatIsThere() {
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
    case .picture, .placeholder: !picture.showsImage
    }
  }

  /// Whether the place shows nothing at all.
  final var isBlank: Bool {
    if case .broken = content { return false }
    return !picture.showsImage && !picture.showsPlaceholderImage
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    content = .placeholder
    tinyPreview = nil
    askedSize = nil
  }

  override func layoutSubviews() {
    picture.frame = pictureArea
    brokenView?.frame = picture.frame
    placeBadge()
    placeTick()
  }

  /// Shows the content; overriders call super.
  func contentDidChange() {
    switch content {
    case .placeholder:
      picture.image = nil
      picture.placeholderColor = theme.placeholder
      brokenView?.isHidden = true
    case .picture(let bitmap, let isDamaged):
      picture.image = bitmap
      brokenView?.isHidden = true
      guard isDamaged else { break }
      if badge == nil { makeBadge() }
      placeBadge()
      return
    case .preview(let bitmap):
      picture.image = bitmap
      brokenView?.isHidden = true
    case .broken(let reason):
      picture.image = nil
      picture.placeholderColor = theme.brokenSurface
      let view = brokenView ?? makeBrokenView()
      view.reason = hasRoomForWords ? reason : ""
      view.isHidden = false
    }
    badge?.isHidden = true
  }

  private func makeBadge() {
    let view = DamagedBadge(theme: theme)
    addSubview(view)
    badge = view
    placeTick()
  }

  /// Puts the badge into its corner, or leaves it out where it would reach over the picture's edges.
  private func placeBadge() {
    guard let badge, case .picture(_, isDamaged: true) = content else { return }
    let inset = 8.0
    let (area, size) = (picture.frame, DamagedBadge.size)
    badge.isHidden = !hasRoomForWords || area.width < size.width + 2 * inset || area.height < size.height + 2 * inset
    badge.frame = Rect(
      x: area.minX + inset, y: area.maxY - inset - size.height, width: size.width, height: size.height)
  }

  private func makeBrokenView() -> BrokenPictureView {
    let view = BrokenPictureView(theme: theme, icon: brokenIcon)
    view.frame = picture.frame
    addSubview(view)
    brokenView = view
    placeTick()
    return view
  }
}
