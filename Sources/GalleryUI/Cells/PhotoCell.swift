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
    /// The picture, of exactly the place's size in pixels.
    case picture(Bitmap)
    /// Not to be shown, and why in a few words.
    case broken(String)
  }

  private let picture = ImageView()
  private let caption = Label(style: Theme.captionStyle, color: Theme.dark.secondaryText)
  private var brokenView: BrokenPictureView?
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
    caption.truncation = .middle
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

  override func prepareForReuse() {
    super.prepareForReuse()
    content = .placeholder
  }

  override func layoutSubviews() {
    let height = max(0, bounds.height - Metrics.captionHeight)
    picture.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    brokenView?.frame = picture.frame
    caption.frame = Rect(x: 2, y: height, width: max(0, bounds.width - 4), height: Metrics.captionHeight)
  }

  private func show() {
    switch content {
    case .placeholder:
      picture.image = nil
      picture.placeholderColor = theme.placeholder
      brokenView?.isHidden = true
    case .picture(let bitmap):
      picture.image = bitmap
      brokenView?.isHidden = true
    case .broken(let reason):
      picture.image = nil
      picture.placeholderColor = theme.brokenSurface
      let view = brokenView ?? makeBrokenView()
      view.reason = reason
      view.isHidden = false
    }
  }

  private func makeBrokenView() -> BrokenPictureView {
    let view = BrokenPictureView(theme: theme, icon: brokenIcon)
    view.frame = picture.frame
    addSubview(view)
    brokenView = view
    return view
  }
}
