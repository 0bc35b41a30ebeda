import CollectionUI
import Geometry
import PhotoLibrary
import Rendering
import Views

/// Shows one photograph: its picture, or a surface until it is there, or why it cannot be shown; its name beneath.
final class PhotoCell: CollectionViewCell {
  /// What a photograph's place shows.
  enum Content {
    /// Not there yet.
    case placeholder
    /// The picture, of exactly the place's size in pixels; a damaged one is what could be saved of it.
    case picture(Bitmap, isDamaged: Bool)
    /// Not to be shown, and why in a few words.
    case broken(String)
  }

  private let picture = ImageView()
  private let caption = Label(style: Theme.captionStyle, color: Theme.dark.secondaryText)
  private var brokenView: BrokenPictureView?
  private var badge: DamagedBadge?
  private let theme = Theme.dark

  /// The photograph that it shows.
  var item: PhotoID?
  /// What stands for a picture that cannot be shown; shared by all cells.
  var brokenIcon = SharedIcon(isBroken: true)

  required init() {
    super.init()
    picture.cornerRadius = Metrics.cornerRadius
    picture.cornerColor = theme.background
    picture.placeholderColor = theme.placeholder
    picture.isInteractive = false
    caption.truncation = PhotoCell.captionTruncation
    caption.color = theme.secondaryText
    addSubview(picture)
    addSubview(caption)
  }

  /// The photograph's name, ready to be shown.
  var name = "" {
    didSet { caption.text = name }
  }

  /// What its place shows.
  var content: Content = .placeholder {
    didSet { show() }
  }

  /// Whether the photograph is marked as the one that was asked for, by a ring around its place.
  var isMarked = false {
    didSet {
      guard isMarked != oldValue else { return }
      picture.cornerColor = isMarked ? theme.accent : theme.background
      setNeedsDisplay()
    }
  }

  override func draw(in context: DrawContext) {
    guard isMarked else { return }
    let ring = Metrics.markWidth
    let area = Rect(
      x: picture.frame.minX - ring, y: picture.frame.minY - ring, width: picture.frame.width + 2 * ring,
      height: picture.frame.height + 2 * ring)
    context.fillRounded(area, radius: Metrics.cornerRadius + ring, theme.accent)
  }

  /// There is no picture yet: keeps another size of the same one, or shows the surface.
  func keepWhatIsThere() {
    if case .picture = content { return }
    content = .placeholder
  }

  /// Whether the place shows neither the picture nor a reason why there is none.
  var isWaiting: Bool {
    if case .broken = content { return false }
    return !picture.showsImage
  }

  /// Paints a caption as a cell of a width will show it.
  static func prepareCaption(_ name: String, cellWidth: Double, in resources: RenderResources) {
    resources.prepareLine(
      name, style: Theme.captionStyle, width: captionWidth(of: cellWidth), truncation: captionTruncation)
  }

  private static let captionTruncation = Truncation.middle
  private static let captionInset = 2.0

  private static func captionWidth(of cellWidth: Double) -> Double { max(0, cellWidth - 2 * captionInset) }

  override func prepareForReuse() {
    super.prepareForReuse()
    content = .placeholder
    isMarked = false
  }

  override func layoutSubviews() {
    let height = max(0, bounds.height - Metrics.captionHeight)
    picture.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    brokenView?.frame = picture.frame
    badge?.frame = badgeFrame
    caption.frame = Rect(
      x: PhotoCell.captionInset, y: height, width: PhotoCell.captionWidth(of: bounds.width),
      height: Metrics.captionHeight)
  }

  private func show() {
    switch content {
    case .placeholder:
      picture.image = nil
      picture.placeholderColor = theme.placeholder
      brokenView?.isHidden = true
    case .picture(let bitmap, let isDamaged):
      picture.image = bitmap
      brokenView?.isHidden = true
      if isDamaged, badge == nil { makeBadge() }
      badge?.isHidden = !isDamaged
      return
    case .broken(let reason):
      picture.image = nil
      picture.placeholderColor = theme.brokenSurface
      let view = brokenView ?? makeBrokenView()
      view.reason = reason
      view.isHidden = false
    }
    badge?.isHidden = true
  }

  private func makeBadge() {
    let view = DamagedBadge(theme: theme)
    view.frame = badgeFrame
    addSubview(view)
    badge = view
  }

  private var badgeFrame: Rect {
    Rect(
      x: 8, y: picture.frame.maxY - 8 - DamagedBadge.size.height, width: DamagedBadge.size.width,
      height: DamagedBadge.size.height)
  }

  private func makeBrokenView() -> BrokenPictureView {
    let view = BrokenPictureView(theme: theme, icon: brokenIcon)
    view.frame = picture.frame
    addSubview(view)
    brokenView = view
    return view
  }
}
