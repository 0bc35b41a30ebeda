import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics

/// The parts of a scrubber next to the thumb: the timeline and the bubble.
final class ScrubberView: View {
  /// The state of the thumb in a frame.
  struct State {
    /// The frame of the thumb, in the indicator's coordinates.
    var thumb: Rect
    /// The centers of the thumb at the first and the last offset.
    var ends: Range<Double>
    /// The current offset and the allowed offsets.
    var offset: Double
    var range: ScrollRange
    /// The distance from the far side of the view to the indicator, in points.
    var availableWidth: Double
    /// Whether the timeline is visible.
    var isTimelineVisible: Bool
    /// Whether the thumb is being dragged, and its gain.
    var isThumbHeld: Bool
    var gain: ScrubberGain
  }

  private static let fadeInDuration = FrameDuration.milliseconds(120)
  private static let fadeOutDuration = FrameDuration.milliseconds(250)
  private static let markPitch = 6.0
  private static let labelPitch = ScrubberTimeline.labelHeight * 2
  private static let bubbleGap = 8.0
  /// The number of timeline slots per step: some tens of microseconds.
  private static let slotsPerStep = 8
  /// The assumed cost of a step before the first measurement, and its minimum.
  private static let minimumStepCost = FrameDuration.microseconds(100)

  /// The data source that names the content.
  weak var dataSource: (any ScrubberDataSource)? {
    didSet { contentDidChange() }
  }
  /// The colors.
  var style = ScrubberStyle.dark {
    didSet {
      timeline.style = style
      bubble.style = style
    }
  }
  /// The space at the beginning of the timeline that labels leave free, in points.
  var labelInset: Double {
    get { timeline.labelInset }
    set { timeline.labelInset = newValue }
  }
  /// The maximum width of the text of a label, in points.
  var labelWidth: Double {
    get { timeline.maximumLabelWidth }
    set { timeline.maximumLabelWidth = newValue }
  }
  /// Whether the timeline appears and disappears without animation.
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
    isUserInteractionEnabled = false
    timeline.isHidden = true
    timeline.isUserInteractionEnabled = false
    addSubview(timeline)
    addSubview(bubble)
  }

  /// Whether the timeline is fading in or out.
  var needsFrames: Bool { fade.isRunning(at: now) }

  /// Marks the timeline as outdated after the segments changed.
  func contentDidChange() { isStale = true }

  /// Discards the text measurements after a change of the display scale.
  func scaleDidChange() { timeline.scaleDidChange() }

  /// Returns the mark whose visible label is at a point, or nil if there is none.
  func mark(at point: Point) -> ScrubberMark? { timeline.mark(at: point) }

  override func layoutSubviews() {
    timeline.frame = bounds
    isStale = true
  }

  /// Updates the scrubber for the state of the thumb in a frame; nil if all content is visible.
  func update(_ next: State?, at target: FrameInstant) {
    now = target
    if next?.ends != state?.ends || next?.range != state?.range { isStale = true }
    state = next
    let isVisible = next?.isTimelineVisible == true
    let time = reducesMotion ? .zero : isVisible ? ScrubberView.fadeInDuration : ScrubberView.fadeOutDuration
    fade.animate(to: isVisible ? 1 : 0, duration: time, at: target)
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
      text, gain: state.gain, center: state.thumb.midY, edge: -ScrubberView.bubbleGap,
      availableSize: Size(width: state.availableWidth - 2 * ScrubberView.bubbleGap, height: bounds.height),
      in: resources)
  }

  // MARK: - Marks

  /// Visits some more slots of the timeline if the budget allows it.
  ///
  /// - Parameters:
  ///   - budget: The time budget.
  ///   - currentState: The current state of the thumb.
  /// - Returns: Whether a step was performed.
  func performSlackStep(_ budget: FrameBudget, _ currentState: State) -> Bool {
    guard isStale || survey != nil, let dataSource, budget.allows(stepCost) else { return false }
    let count = dataSource.numberOfSegments
    // A survey in progress is completed, because content can change in each frame; the next one starts afterward.
    if survey == nil || survey?.count != count {
      isStale = false
      survey = ScrubberSurvey(
        count: count,
        scale: ScrubberScale(
          length: currentState.ends.upperBound - currentState.ends.lowerBound, markPitch: ScrubberView.markPitch,
          labelPitch: ScrubberView.labelPitch))
    }
    let start = budget.clock.workTimestamp()
    let range = currentState.range
    survey?.advance(atMost: ScrubberView.slotsPerStep) { segment in
      range.length > 0 ? (dataSource.offset(ofSegment: segment) - range.minimum) / range.length : 0
    } title: { segment in
      dataSource.title(ofSegment: segment)
    }
    // Preemption does not predict the cost of the next step, nor does an outlier.
    let cost = min(start.cost(until: budget.clock.workTimestamp()), stepCost * 4)
    stepCost = max(ScrubberView.minimumStepCost, cost > stepCost ? cost : stepCost + (cost - stepCost) * 0.05)
    if let survey, survey.isDone {
      self.survey = nil
      setMarks(survey.marks)
    }
    return true
  }

  private func setMarks(_ marks: [ScrubberMark]) {
    // A timeline with a single mark has no use.
    let marks = marks.count > 1 ? marks : []
    guard marks != self.marks else { return }
    self.marks = marks
    // An invisible timeline needs no frame.
    if timeline.opacity > 0 { setNeedsDisplay() }
  }
}

/// An opacity that changes linearly to a target, as a function of time.
private struct Fade {
  private var startValue = 0.0
  private var startInstant = FrameInstant.distantPast
  private var duration = FrameDuration.zero
  /// The target opacity.
  private(set) var targetValue = 0.0

  /// Starts a fade to an opacity from the current one, unless that is the target already.
  ///
  /// - Parameter duration: The duration of a full fade; a partial one takes proportionally less.
  mutating func animate(to target: Double, duration: FrameDuration, at instant: FrameInstant) {
    guard target != targetValue else { return }
    startValue = value(at: instant)
    startInstant = instant
    self.duration = duration * (target - startValue).magnitude
    targetValue = target
  }

  /// Returns the opacity at an instant.
  func value(at instant: FrameInstant) -> Double {
    guard isRunning(at: instant) else { return targetValue }
    return startValue + (targetValue - startValue) * max(0, (instant - startInstant).seconds / duration.seconds)
  }

  /// Returns whether the fade is in progress at an instant.
  func isRunning(at instant: FrameInstant) -> Bool { duration > .zero && instant < startInstant + duration }
}
