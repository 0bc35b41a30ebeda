import Geometry
import Rendering
import Views

/// Shows a photograph as a row of a list: a small picture, its name, when it was taken and its extent, in columns.
final class RowCell: PictureCell {
  private let nameLabel = Label(style: Theme.rowStyle, color: Theme.dark.primaryText)
  private let dateLabel = Label(style: Theme.detailStyle, color: Theme.dark.secondaryText, alignment: .trailing)
  private let extentLabel = Label(style: Theme.detailStyle, color: Theme.dark.secondaryText, alignment: .trailing)

  /// The widths of the columns behind the name, in points, and the narrowest name beside which they stand.
  private static let columns = (date: 152.0, extent: 112.0, narrowestName: 160.0)
  private static let inset = 4.0
  private static let gap = 16.0

  required init() {
    super.init()
    nameLabel.truncation = .middle
    cornerRadius = Metrics.smallCornerRadius
    for label in [nameLabel, dateLabel, extentLabel] { addSubview(label) }
  }

  override var name: String {
    get { nameLabel.text }
    set { nameLabel.text = newValue }
  }

  /// When the photograph was taken, ready to be shown.
  var date = "" {
    didSet { dateLabel.text = date }
  }

  /// Its extent, ready to be shown.
  var extent = "" {
    didSet { showExtent() }
  }

  override var hasRoomForWords: Bool { false }

  override var pictureArea: Rect { RowCell.pictureArea(in: bounds.size) }

  /// Where the picture stands in a row of a size: three wide for two high, with a little air above and below.
  static func pictureArea(in size: Size) -> Rect {
    let height = max(0, size.height - 2 * inset)
    return Rect(x: 0, y: inset, width: min((height * 1.5).rounded(), size.width), height: height)
  }

  override func contentDidChange() {
    super.contentDidChange()
    showExtent()
  }

  /// Where a picture cannot be shown its extent matters less than why.
  private func showExtent() {
    guard case .broken(let reason) = content else {
      extentLabel.text = extent
      return
    }
    extentLabel.text = reason
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    let start = pictureArea.maxX + RowCell.gap
    var end = bounds.width
    end = place(extentLabel, width: RowCell.columns.extent, before: end, behind: start)
    end = place(dateLabel, width: RowCell.columns.date, before: end, behind: start)
    nameLabel.frame = Rect(x: start, y: 0, width: max(0, end - start), height: bounds.height)
  }

  /// Places a column at the end of a row, or leaves it out where the name would have too little room.
  private func place(_ label: Label, width: Double, before end: Double, behind start: Double) -> Double {
    let next = end - width - RowCell.gap
    label.isHidden = next - start < RowCell.columns.narrowestName
    label.frame = Rect(x: end - width, y: 0, width: width, height: bounds.height)
    return label.isHidden ? end : next
  }

  override func draw(in context: DrawContext) {
    super.draw(in: context)
    let hairline = 1 / context.scale.pixelsPerPoint
    let start = nameLabel.frame.minX
    context.fill(
      Rect(x: start, y: bounds.height - hairline, width: max(0, bounds.width - start), height: hairline),
      theme.separator)
  }
}
