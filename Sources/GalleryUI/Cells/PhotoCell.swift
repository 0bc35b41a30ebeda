import Geometry
import Rendering
import Views

/// Shows a photograph with its name beneath, or the picture alone.
final class PhotoCell: PictureCell {
  private let caption = Label(style: Theme.captionStyle, color: Theme.dark.secondaryText)

  required init() {
    super.init()
    caption.truncation = PhotoCell.captionTruncation
    caption.allowsDeferredLine = true
    caption.color = theme.secondaryText
    addSubview(caption)
  }

  override var name: String {
    get { caption.text }
    set { caption.text = newValue }
  }

  /// Whether the name stands beneath the picture; otherwise the picture fills the cell.
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

  /// Paints a caption as a cell of a width will show it.
  static func prepareCaption(_ name: String, cellWidth: Double, in resources: RenderResources) {
    resources.prepareLine(
      name, style: Theme.captionStyle, width: captionWidth(of: cellWidth), truncation: captionTruncation)
  }

  private static let captionTruncation = Truncation.middle
  private static let captionInset = 2.0

  private static func captionWidth(of cellWidth: Double) -> Double { max(0, cellWidth - 2 * captionInset) }

  override func layoutSubviews() {
    super.layoutSubviews()
    caption.frame = Rect(
      x: PhotoCell.captionInset, y: pictureArea.maxY, width: PhotoCell.captionWidth(of: bounds.width),
      height: Metrics.captionHeight)
  }
}
