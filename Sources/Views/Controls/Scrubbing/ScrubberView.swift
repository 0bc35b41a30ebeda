import FramePacing
import Geometry
import ScrollPhysics

/// What belongs to a thumb beside itself where the content is named: the time line, and the bubble.
final class ScrubberView: View {
  /// How the thumb stands in a frame.
  struct State {
    /// The thumb, in the indicator's coordinates.
    var thumb: Rect
    /// Where the thumb's middle is at the first offset and at the last.
    var ends: Range<Double>
    /// Where the content stands, and how far it can be scrolled.
    var offset: Double
    var range: ScrollRange
    /// How far it is from the view's far side to the indicator, in points.
    var availableWidth: Double
    /// Whether the line is to be seen.
    var isTimelineVisible: Bool
    /// Whether the thumb is held, and how fine it goes.
    var isThumbHeld: Bool
    var gain: ScrubberGain
  }

  private static let fadeInDuration = FrameDuration.milliseconds(120)
  private static let fadeOutDuration = FrameDuration.milliseconds(250)
  private static let markPitch = 6.0
  private static let labelPitch = ScrubberTimeline.labelHeight * 2
  private static let bubbleGap = 8.0
  /// Parts of the line that are looked at in one step: some tens of microseconds.
  private static let slotsPerStep = 8
  /// What a step is held against before the first one was measured, and at least.
  private static let minimumStepCost = FrameDuration.microseconds(100)

  /// Who names the content.
  weak var dataSource: (any ScrubberDataSource)? {
    didSet { contentDidChange() }
  }
  /// The colours.
  var style = ScrubberStyle.dark {
    didSet {
      timeline.style = style
      bubble.style = style
    }
  }
  /// How much of the line's beginning texts leave free, in points.
  var labelInset: Double {
    get { timeline.labelInset }
    set { timeline.labelInset = newValue }
  }
  /// Whether it comes and goes at once.
  var reducesMotion = false

  private let timeline = ScrubberTimeline()
  private let bubble = ScrubberBubble()
  private var fade = Fade()
  private var now = FrameInstant.zero
  private var marks: [ScrubberMark] = []
  private var state: State?
  private var survey: ScrubberSurvey?
  private var isStale = true
  private var stepCost = ScrubberView.minimumStepCost

  init() {
    super.init()
    isInteractive = false
    timeline.isHidden = true
    timeline.isInteractive = false
    addSubview(timeline)
    addSubview(bubble)
  }

  /// Whether it is still coming or going.
  var needsFrames: Bool { fade.isRunning(at: now) }

  /// Something begins elsewhere: marks are made anew.
  func contentDidChange() { isStale = true }

  /// Type is measured anew.
  func scaleDidChange() { timeline.scaleDidChange() }

  /// The mark whose text is at a point, if it can be seen.
  func mark(at point: Point) -> ScrubberMark? { timeline.mark(at: point) }

  override func layoutSubviews() {
    timeline.frame = bounds
    isStale = true
  }

  /// Takes in how the thumb stands in a frame; nothing where all content is seen.
  func update(_ next: State?, at target: FrameInstant) {
    now = target
    if next?.ends != state?.ends || next?.range != state?.range { isStale = true }
    state = next
    let isWanted = next?.isTimelineVisible == true
    let time = reducesMotion ? .zero : isWanted ? ScrubberView.fadeInDuration : ScrubberView.fadeOutDuration
    fade.animate(to: isWanted ? 1 : 0, duration: time, at: target)
    timeline.opacity = fade.value(at: target)
    let isSeen = timeline.opacity > 0 && next != nil && !marks.isEmpty
    if timeline.isHidden == isSeen { timeline.isHidden = !isSeen }
    updateBubble()
    if isSeen, let next {
      timeline.coveredSpan = bubble.isHidden ? nil : bubble.frame.minY - 4..<bubble.frame.maxY + 4
      timeline.show(marks, between: next.ends)
    }
  }

  private func updateBubble() {
    guard let state, state.isThumbHeld, let resources = window?.resources,
      let text = dataSource?.bubbleText(at: state.offset, isFine: state.gain != .whole), !text.isEmpty
    else {
      if !bubble.isHidden { bubble.hide() }
      return
    }
    bubble.show(
      text, gain: state.gain, beside: state.thumb.midY, edge: -ScrubberView.bubbleGap,
      availableSize: Size(width: state.availableWidth - 2 * ScrubberView.bubbleGap, height: bounds.height),
      in: resources)
  }

  // MARK: Marks

  /// Looks for what begins along some more of the line, if that fits.
  ///
  /// - Parameters:
  ///   - budget: the time that there is.
  ///   - situation: how the thumb stands by now.
  /// - Returns: whether it did.
  func performSlackStep(_ budget: FrameBudget, _ situation: State) -> Bool {
    guard isStale || survey != nil, let dataSource, budget.allows(stepCost) else { return false }
    let count = dataSource.numberOfSegments
    // One that is under way is ended, as content may change in each frame: the next one begins then.
    if survey == nil || survey?.count != count {
      isStale = false
      survey = ScrubberSurvey(
        count: count,
        scale: ScrubberScale(
          length: situation.ends.upperBound - situation.ends.lowerBound, markPitch: ScrubberView.markPitch,
          labelPitch: ScrubberView.labelPitch))
    }
    let start = budget.clock.workTimestamp()
    let range = situation.range
    survey?.advance(atMost: ScrubberView.slotsPerStep) { stretch in
      range.length > 0 ? (dataSource.offset(ofSegment: stretch) - range.minimum) / range.length : 0
    } title: { stretch in
      dataSource.title(ofSegment: stretch)
    }
    // What others took of the time is no sign of what the next step takes, nor is one that was far dearer than any before.
    let cost = min(start.cost(until: budget.clock.workTimestamp()), stepCost * 4)
    stepCost = max(ScrubberView.minimumStepCost, cost > stepCost ? cost : stepCost + (cost - stepCost) * 0.05)
    if let survey, survey.isDone {
      self.survey = nil
      setMarks(survey.marks)
    }
    return true
  }

  private func setMarks(_ marks: [ScrubberMark]) {
    // A time line on which nothing else begins tells nothing.
    let marks = marks.count > 1 ? marks : []
    guard marks != self.marks else { return }
    self.marks = marks
    // What is not seen asks for no frame.
    if timeline.opacity > 0 { setNeedsDisplay() }
  }
}
