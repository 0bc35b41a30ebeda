import CollectionUI
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A cell that shows a photograph as a row of a list: a small picture, the name, the date and the size in pixels.
final class RowCell: PictureCell {
  private let nameLabel = Label(style: Theme.rowStyle, color: .white)
  private let dateLabel = Label(style: Theme.detailStyle, color: .white, alignment: .trailing)
  private let extentLabel = Label(style: Theme.detailStyle, color: .white, alignment: .trailing)

  /// The widths of the columns after the name, in points, and the minimum width of the name next to them.
  private static let columnWidths = (date: 152.0, extent: 128.0, narrowestName: 112.0)
  private nonisolated static let inset = 4.0
  private nonisolated static let gap = 16.0

  required init() {
    super.init()
    nameLabel.lineBreakMode = .byTruncatingMiddle
    cornerRadius = Metrics.smallCornerRadius
    for label in [nameLabel, dateLabel, extentLabel] {
      label.allowsDeferredLine = true
      addSubview(label)
    }
    themeDidChange()
  }

  override func themeDidChange() {
    super.themeDidChange()
    nameLabel.textColor = theme.primaryText
    dateLabel.textColor = theme.secondaryText
    extentLabel.textColor = theme.secondaryText
  }

  override var captionText: String {
    get { nameLabel.text }
    set { nameLabel.text = newValue }
  }

  override func isNameTruncated(in resources: RenderResources) -> Bool {
    nameLabel.measuredWidth(in: resources) > nameLabel.frame.width
  }

  /// The capture date for display.
  var date = "" {
    didSet { dateLabel.text = date }
  }

  /// The size in pixels for display.
  var extent = "" {
    didSet { updateExtentLabel() }
  }

  override var hasSpaceForText: Bool { false }

  override var pictureArea: Rect { RowCell.pictureArea(in: bounds.size) }

  /// Returns the frame of the picture in a row of the given size: an aspect ratio of 3:2, with a small inset at the top
  /// and bottom.
  static func pictureArea(in size: Size) -> Rect {
    let height = max(0, size.height - 2 * inset)
    return Rect(x: 0, y: inset, width: min(pictureWidth(ofRow: size.height), size.width), height: height)
  }

  private nonisolated static func pictureWidth(ofRow height: Double) -> Double {
    (max(0, height - 2 * inset) * 1.5).rounded()
  }

  /// Returns the leading inset of the text in a row of the given height.
  nonisolated static func textInset(ofRow height: Double) -> Double { pictureWidth(ofRow: height) + gap }

  override func contentDidChange() {
    super.contentDidChange()
    updateExtentLabel()
  }

  /// Shows the size, or the reason why the photograph cannot be shown.
  private func updateExtentLabel() {
    let text = if case .broken(let reason) = content { reason } else { extent }
    if text != extentLabel.text { extentLabel.text = text }
    setNeedsLayout()
  }

  // MARK: Selection and focus

  override var showsTick: Bool { false }

  override var cornerColor: Color { isSelected ? theme.selectedRow : theme.background }

  override func draw(in context: DrawContext) {
    // The background extends into the margins, so that the text does not move.
    let outset = Metrics.margin / 2
    // It ends above the separator.
    let row = Rect(x: -outset, y: 0, width: bounds.width + 2 * outset, height: bounds.height - 1)
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
    // If not both fit next to the name, the date stays, or the reason why the photograph cannot be shown.
    let availableWidth = bounds.width - start - columns.narrowestName
    let both = columns.date + columns.extent + 2 * RowCell.gap
    let (first, second) = isBroken ? (extentLabel, dateLabel) : (dateLabel, extentLabel)
    first.isHidden = availableWidth < (isBroken ? columns.extent : columns.date) + RowCell.gap
    second.isHidden = availableWidth < both
    var end = bounds.width
    for (label, width) in [(extentLabel, columns.extent), (dateLabel, columns.date)] where !label.isHidden {
      label.frame = Rect(x: end - width, y: 0, width: width, height: bounds.height)
      end -= width + RowCell.gap
    }
    nameLabel.frame = Rect(x: start, y: 0, width: max(0, end - start), height: bounds.height)
  }
}
