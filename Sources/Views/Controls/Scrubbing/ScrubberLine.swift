import FramePacing
import Geometry
import Rendering
import ScrollPhysics

/// Marks along the edge, and beside them what begins there, each on a surface of its own.
final class ScrubberTimeline: View {
  static let labelHeight = 20.0
  private static let groupStyle = TextStyle(size: 12, weight: .semibold, hasMonospacedDigits: true)
  private static let segmentStyle = TextStyle(size: 11, weight: .medium, hasMonospacedDigits: true)
  private static let padding = 7.0
  private static let labelGap = 2.0
  private static let maximumLabelWidth = 132.0
  private static let edgeGap = 4.0

  /// The colours.
  var style = ScrubberStyle.dark {
    didSet { if style != oldValue { updateColors() } }
  }
  /// How opaque it is, 0 to 1.
  var opacity = 0.0 {
    didSet { if opacity != oldValue { updateColors() } }
  }
  /// From where to where along the line something else stands, over which no text is.
  var coveredSpan: Range<Double>? {
    didSet { if coveredSpan != oldValue { setNeedsLayout() } }
  }

  /// How much of its beginning texts leave free, in points.
  var labelInset = 0.0 {
    didSet { if labelInset != oldValue { setNeedsLayout() } }
  }

  private var marks: [ScrubberMark] = []
  /// Where the first place and the last one are, in points.
  private var ends = 0.0..<0.0
  private var labels: [Label] = []
  /// The labels' marks, and how wide their texts are.
  private var labelEntries: [(mark: ScrubberMark, width: Double)] = []

  /// Shows other marks, or the same ones elsewhere.
  func show(_ marks: [ScrubberMark], between ends: Range<Double>) {
    let isNew = marks != self.marks
    guard isNew || ends != self.ends else { return }
    self.marks = marks
    self.ends = ends
    if isNew { labelEntries = [] }
    setNeedsLayout()
  }

  /// Type is measured anew.
  func scaleDidChange() {
    labelEntries = []
    setNeedsLayout()
  }

  /// The mark whose text is at a point, if it can be seen.
  func mark(at point: Point) -> ScrubberMark? {
    guard !isHidden else { return nil }
    let hit = labels.indices.first { !labels[$0].isHidden && labelBackground(at: $0).contains(point) }
    return hit.flatMap { labelEntries.indices.contains($0) ? labelEntries[$0].mark : nil }
  }

  private func position(of mark: ScrubberMark) -> Double {
    ends.lowerBound + mark.place * (ends.upperBound - ends.lowerBound)
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    if labelEntries.isEmpty { updateLabels(in: resources) }
    let height = ScrubberTimeline.labelHeight
    func wantedTop(_ place: Int) -> Double { position(of: labelEntries[place].mark) - height / 2 }
    for (place, (label, entry)) in zip(labels, labelEntries).enumerated() {
      let inset = labelInset > 0 ? labelInset + ScrubberTimeline.labelGap : 0
      let top = max(inset, min(bounds.height - height, wantedTop(place)))
      // One that gives way to a header does not push itself before the next one.
      let isCrowded =
        wantedTop(place) < inset && place + 1 < labelEntries.count && wantedTop(place + 1) < inset + height + 4
      let frame = Rect(
        x: -ScrubberTimeline.labelGap - ScrubberTimeline.padding - entry.width, y: resources.scale.snapped(top),
        width: entry.width, height: height)
      label.frame = frame
      label.isHidden =
        bounds.height < inset + height || isCrowded
        || coveredSpan.map { frame.minY < $0.upperBound && frame.maxY > $0.lowerBound } ?? false
    }
  }

  private func updateLabels(in resources: RenderResources) {
    let marks = marks.filter(\.isLabelled)
    while labels.count > marks.count { labels.removeLast().removeFromSuperview() }
    for (place, mark) in marks.enumerated() {
      if place == labels.count {
        let label = Label(style: ScrubberTimeline.groupStyle, color: style.primaryText, alignment: .trailing)
        label.truncation = .middle
        labels.append(label)
        addSubview(label)
      }
      labels[place].style = mark.beginsGroup ? ScrubberTimeline.groupStyle : ScrubberTimeline.segmentStyle
      labels[place].text = mark.text
    }
    labelEntries = zip(labels, marks).map { label, mark in
      (mark, min(ScrubberTimeline.maximumLabelWidth, label.measuredWidth(in: resources).rounded(.up)))
    }
    updateColors()
  }

  private func updateColors() {
    for (label, entry) in zip(labels, labelEntries) {
      label.color = (entry.mark.beginsGroup ? style.primaryText : style.secondaryText).opacity(opacity)
    }
    setNeedsDisplay()
  }

  /// What a label stands on.
  private func labelBackground(at place: Int) -> Rect {
    let frame = labels[place].frame
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
    for place in labels.indices where !labels[place].isHidden {
      let surface = labelBackground(at: place)
      let rim = Rect(
        x: surface.minX - hairline, y: surface.minY - hairline, width: surface.width + 2 * hairline,
        height: surface.height + 2 * hairline)
      context.fillRounded(rim, radius: 6 + hairline, style.border.opacity(opacity))
      context.fillRounded(surface, radius: 6, style.surface.opacity(opacity))
    }
  }
}
