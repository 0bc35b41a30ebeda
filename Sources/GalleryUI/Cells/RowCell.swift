import CollectionUI
import Geometry
import Rendering
import Views

/// Shows a photograph as a row of a list: a small picture, its name, when it was taken and its extent, in columns.
final class RowCell: PictureCell {
  private let nameLabel = Label(style: Theme.rowStyle, color: Theme.dark.primaryText)
  private let dateLabel = Label(style: Theme.detailStyle, color: Theme.dark.secondaryText, alignment: .trailing)
  private let extentLabel = Label(style: Theme.detailStyle, color: Theme.dark.secondaryText, alignment: .trailing)

  /// The widths of the columns behind the name, in points, and the narrowest name beside which they stand.
  private static let columnWidths = (date: 152.0, extent: 128.0, narrowestName: 112.0)
  private nonisolated static let inset = 4.0
  private nonisolated static let gap = 16.0

  required init() {
    super.init()
    nameLabel.truncation = .middle
    cornerRadius = Metrics.smallCornerRadius
    for label in [nameLabel, dateLabel, extentLabel] {
      label.allowsDeferredLine = true
      addSubview(label)
    }
  }

  override var name: String {
    get { nameLabel.text }
    set { nameLabel.text = newValue }
  }

  override func isNameTruncated(in resources: RenderResources) -> Bool {
    nameLabel.measuredWidth(in: resources) > nameLabel.frame.width
  }

  /// When the photograph was taken, ready to be shown.
  var date = "" {
    didSet { dateLabel.text = date }
  }

  /// Its extent, ready to be shown.
  var extent = "" {
    didSet { updateExtentLabel() }
  }

  override var hasSpaceForText: Bool { false }

  override var pictureArea: Rect { RowCell.pictureArea(in: bounds.size) }

  /// Where the picture stands in a row of a size: three wide for two high, with a little air above and below.
  static func pictureArea(in size: Size) -> Rect {
    let height = max(0, size.height - 2 * inset)
    return Rect(x: 0, y: inset, width: min(pictureWidth(ofRow: size.height), size.width), height: height)
  }

  private nonisolated static func pictureWidth(ofRow height: Double) -> Double {
    (max(0, height - 2 * inset) * 1.5).rounded()
  }

  /// How far behind a row's beginning its words begin, by the row's height.
  nonisolated static func textInset(ofRow height: Double) -> Double { pictureWidth(ofRow: height) + gap }

  override func contentDidChange() {
    super.contentDidChange()
    updateExtentLabel()
  }

  /// Where a picture cannot be shown its extent matters less than why.
  private func updateExtentLabel() {
    let text = if case .broken(let reason) = content { reason } else { extent }
    if text != extentLabel.text { extentLabel.text = text }
    setNeedsLayout()
  }

  // MARK: What is done with it

  override var showsTick: Bool { false }

  override var cornerColor: Color { isSelected ? theme.selectedRow : theme.background }

  override func draw(in context: DrawContext) {
    // Into the margins, so that words keep their line.
    let reach = Metrics.margin / 2
    // Above the line to the next row.
    let row = Rect(x: -reach, y: 0, width: bounds.width + 2 * reach, height: bounds.height - 1)
    let radius = Metrics.smallCornerRadius
    if configurationState.isFocused {
      let line = Metrics.rowFocusWidth
      context.fillRounded(row, radius: radius, theme.primaryText)
      let inner = row.inset(by: Insets(top: line, left: line, bottom: line, right: line))
      context.fillRounded(inner, radius: radius - line, cornerColor)
    } else if isSelected {
      context.fillRounded(row, radius: radius, cornerColor)
    }
  }

  private var isBroken: Bool {
    if case .broken = content { return true }
    return false
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    let start = pictureArea.maxX + RowCell.gap
    let columns = RowCell.columnWidths
    // Where not both fit beside the name the date stays; of a picture that cannot be shown, why.
    let room = bounds.width - start - columns.narrowestName
    let both = columns.date + columns.extent + 2 * RowCell.gap
    let (first, second) = isBroken ? (extentLabel, dateLabel) : (dateLabel, extentLabel)
    first.isHidden = room < (isBroken ? columns.extent : columns.date) + RowCell.gap
    second.isHidden = room < both
    var end = bounds.width
    for (label, width) in [(extentLabel, columns.extent), (dateLabel, columns.date)] where !label.isHidden {
      label.frame = Rect(x: end - width, y: 0, width: width, height: bounds.height)
      end -= width + RowCell.gap
    }
    nameLabel.frame = Rect(x: start, y: 0, width: max(0, end - start), height: bounds.height)
  }
}
