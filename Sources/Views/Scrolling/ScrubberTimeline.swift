import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics

/// Marks along the edge, with labels on a background next to them.
final class ScrubberTimeline: View {
  static let labelHeight = 20.0
  private static let groupStyle = TextStyle(size: 12, weight: .semibold, hasMonospacedDigits: true)
  private static let segmentStyle = TextStyle(size: 11, weight: .medium, hasMonospacedDigits: true)
  private nonisolated static let padding = 7.0
  private nonisolated static let labelGap = 2.0
  /// The width at which a text is truncated if labels of any width are allowed.
  private static let truncatedWidth = 132.0
  private static let edgeGap = 4.0

  /// The colors.
  var style = ScrubberStyle.dark {
    didSet { if style != oldValue { updateColors() } }
  }
  /// The opacity, 0 to 1.
  var opacity = 0.0 {
    didSet { if opacity != oldValue { updateColors() } }
  }
  /// The part of the timeline that is covered by the bubble, in which labels are hidden.
  var coveredSpan: Range<Double>? {
    didSet { if coveredSpan != oldValue { setNeedsLayout() } }
  }

  /// The space at the beginning that labels leave free, in points.
  var labelInset = 0.0 {
    didSet { if labelInset != oldValue { setNeedsLayout() } }
  }

  /// The maximum width of the text of a label, in points; wider labels are not shown.
  var maximumLabelWidth = Double.infinity {
    didSet { if maximumLabelWidth != oldValue { setNeedsLayout() } }
  }

  /// Returns the space that a label whose text has a width needs beside the indicator, in points.
  nonisolated static func width(ofLabel width: Double) -> Double { width + 2 * padding + 2 * labelGap }

  private var marks: [ScrubberMark] = []
  /// The positions of the first and the last offset, in points.
  private var ends = 0.0..<0.0
  private var labels: [Label] = []
  /// The marks of the labels, and the widths of their texts.
  private var labelEntries: [(mark: ScrubberMark, width: Double)] = []

  /// Shows other marks, or the same ones at other positions.
  func show(_ marks: [ScrubberMark], between ends: Range<Double>) {
    let isNew = marks != self.marks
    guard isNew || ends != self.ends else { return }
    self.marks = marks
    self.ends = ends
    if isNew { labelEntries = [] }
    setNeedsLayout()
  }

  /// Discards the text measurements after a change of the display scale.
  func scaleDidChange() {
    labelEntries = []
    setNeedsLayout()
  }

  /// Returns the mark whose visible label is at a point, or nil if there is none.
  func mark(at point: Point) -> ScrubberMark? {
    guard !isHidden else { return nil }
    let hit = labels.indices.first { !labels[$0].isHidden && labelBackground(at: $0).contains(point) }
    return hit.flatMap { labelEntries.indices.contains($0) ? labelEntries[$0].mark : nil }
  }

  private func position(of mark: ScrubberMark) -> Double {
    ends.lowerBound + mark.position * (ends.upperBound - ends.lowerBound)
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    if labelEntries.isEmpty { updateLabels(in: resources) }
    let height = ScrubberTimeline.labelHeight
    func idealTop(_ index: Int) -> Double { position(of: labelEntries[index].mark) - height / 2 }
    for (index, (label, entry)) in zip(labels, labelEntries).enumerated() {
      let inset = labelInset > 0 ? labelInset + ScrubberTimeline.labelGap : 0
      let top = max(inset, min(bounds.height - height, idealTop(index)))
      // A label that is displaced by a header does not push itself before the next one.
      let isCrowded =
        idealTop(index) < inset && index + 1 < labelEntries.count && idealTop(index + 1) < inset + height + 4
      let frame = Rect(
        x: -ScrubberTimeline.labelGap - ScrubberTimeline.padding - entry.width, y: resources.scale.snapped(top),
        width: entry.width, height: height)
      label.frame = frame
      label.isHidden =
        bounds.height < inset + height || isCrowded || entry.width > maximumLabelWidth
        || coveredSpan.map { frame.minY < $0.upperBound && frame.maxY > $0.lowerBound } ?? false
    }
  }

  private func updateLabels(in resources: RenderResources) {
    let marks = marks.filter(\.isLabelled)
    while labels.count > marks.count { labels.removeLast().removeFromSuperview() }
    for (index, mark) in marks.enumerated() {
      if index == labels.count {
        let label = Label(style: ScrubberTimeline.groupStyle, color: style.primaryText, alignment: .trailing)
        label.lineBreakMode = .byTruncatingMiddle
        labels.append(label)
        addSubview(label)
      }
      labels[index].style = mark.beginsGroup ? ScrubberTimeline.groupStyle : ScrubberTimeline.segmentStyle
      labels[index].text = mark.text
    }
    labelEntries = zip(labels, marks).map { label, mark in
      (mark, min(ScrubberTimeline.truncatedWidth, label.measuredWidth(in: resources).rounded(.up)))
    }
    updateColors()
  }

  private func updateColors() {
    for (label, entry) in zip(labels, labelEntries) {
      label.textColor = (entry.mark.beginsGroup ? style.primaryText : style.secondaryText).opacity(opacity)
    }
    setNeedsDisplay()
  }

  /// Returns the background of a label.
  private func labelBackground(at index: Int) -> Rect {
    let frame = labels[index].frame
    return Rect(
      x: frame.minX - ScrubberTimeline.padding, y: frame.minY, width: frame.width + 2 * ScrubberTimeline.padding,
      height: frame.height)
  }

  override func draw(in context: DrawContext) {
    let scale = context.scale
    for mark in marks {
      let width = mark.beginsGroup ? 8.0 : 4.0
      let height = max(1, scale.length(ofPixels: 1))
      context.fill(
        Rect(
          x: bounds.width - ScrubberTimeline.edgeGap - width, y: scale.snapped(position(of: mark)) - height / 2,
          width: width,
          height: height),
        style.mark.opacity(mark.beginsGroup ? opacity : opacity * 0.7))
    }
    let hairline = 1 / scale.pixelsPerPoint
    for index in labels.indices where !labels[index].isHidden {
      let surface = labelBackground(at: index)
      let rim = Rect(
        x: surface.minX - hairline, y: surface.minY - hairline, width: surface.width + 2 * hairline,
        height: surface.height + 2 * hairline)
      context.fillRounded(rim, radius: 6 + hairline, style.border.opacity(opacity))
      context.fillRounded(surface, radius: 6, style.surface.opacity(opacity))
    }
  }
}
