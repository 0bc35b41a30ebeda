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
  final let theme = Theme.dark

  /// The photograph that it shows.
  final var item: PhotoID?
  /// The size in pixels of the picture that was asked for last.
  final var askedSize: PixelSize?
  /// What stands for a picture that cannot be shown; shared by all cells.
  final var brokenIcon = SharedIcon(isBroken: true)

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

  /// Whether the photograph is marked as the one that was asked for, by a ring around its place.
  final var isMarked = false {
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
    context.fillRounded(area, radius: cornerRadius + ring, theme.accent)
  }

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
    isMarked = false
    askedSize = nil
  }

  override func layoutSubviews() {
    picture.frame = pictureArea
    brokenView?.frame = picture.frame
    placeBadge()
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
    return view
  }
}
