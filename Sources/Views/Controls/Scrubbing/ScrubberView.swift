import FramePacing
import Geometry
import ScrollPhysics

/// What belongs to a thumb beside itself where the content is named: the time line, and the bubble.
final class ScrubberView: View {
  /// How the thumb stands in a frame.
  struct Situation {
    /// The thumb, in the indicator's coordinates.
    var thumb: Rect
    /// Where the thumb's middle is at the first offset and at the last.
    var ends: Range<Double>
    /// Where the content stands, and how far it can be scrolled.
    var offset: Double
    var range: ScrollRange
    /// How far it is from the view's far side to the indicator, in points.
    var room: Double
    /// Whether the line is to be seen.
    var isWanted: Bool
    /// Whether the thumb is held, and how fine it goes.
    var isHeld: Bool
    var gain: ScrubberGain
  }

  private static let appearing = FrameDuration.milliseconds(120)
  private static let disappearing = FrameDuration.milliseconds(250)
  private static let markPitch = 6.0
  private static let labelPitch = ScrubberLine.labelHeight * 2
  private static let bubbleGap = 8.0
  /// Parts of the line that are looked at in one step: some tens of microseconds.
  private static let slotsPerStep = 8
  /// What a step is held against before the first one was measured, and at least.
  private static let leastStepCost = FrameDuration.microseconds(100)

  /// Who names the content.
  weak var dataSource: (any ScrubberDataSource)? {
    didSet { contentDidChange() }
  }
  /// The colours.
  var style = ScrubberStyle.dark {
    didSet {
      line.style = style
      bubble.style = style
    }
  }
  /// How much of the line's beginning texts leave free, in points.
  var labelInset: Double {
    get { line.labelInset }
    set { line.labelInset = newValue }
  }
  /// Whether it comes and goes at once.
  var reducesMotion = false

  private let line = ScrubberLine()
  private let bubble = ScrubberBubble()
  private var fade = Fade()
  private var now = FrameInstant.zero
  private var marks: [ScrubberMark] = []
  private var situation: Situation?
  private var survey: ScrubberSurvey?
  private var isStale = true
  private var stepCost = ScrubberView.leastStepCost

  init() {
    super.init()
    isInteractive = false
    line.isHidden = true
    line.isInteractive = false
    addSubview(line)
    addSubview(bubble)
  }

  /// Whether it is still coming or going.
  var needsFrames: Bool { fade.isRunning(at: now) }

  /// Something begins elsewhere: marks are made anew.
  func contentDidChange() { isStale = true }

  /// Type is measured anew.
  func scaleDidChange() { line.scaleDidChange() }

  /// The mark whose text is at a point, if it can be seen.
  func mark(at point: Point) -> ScrubberMark? { line.mark(at: point) }

  override func layoutSubviews() {
    line.frame = bounds
    isStale = true
  }

  /// Takes in how the thumb stands in a frame; nothing where all content is seen.
  func update(_ next: Situation?, at target: FrameInstant) {
    now = target
    if next?.ends != situation?.ends || next?.range != situation?.range { isStale = true }
    situation = next
    let isWanted = next?.isWanted == true
    let time = reducesMotion ? .zero : isWanted ? ScrubberView.appearing : ScrubberView.disappearing
    fade.turn(to: isWanted ? 1 : 0, in: time, at: target)
    line.strength = fade.level(at: target)
    let isSeen = line.strength > 0 && next != nil && !marks.isEmpty
    if line.isHidden == isSeen { line.isHidden = !isSeen }
    updateBubble()
    if isSeen, let next {
      line.coveredSpan = bubble.isHidden ? nil : bubble.frame.minY - 4..<bubble.frame.maxY + 4
      line.show(marks, between: next.ends)
    }
  }

  private func updateBubble() {
    guard let situation, situation.isHeld, let resources = window?.resources,
      let text = dataSource?.bubbleText(at: situation.offset, isFine: situation.gain != .whole), !text.isEmpty
    else {
      if !bubble.isHidden { bubble.hide() }
      return
    }
    bubble.show(
      text, gain: situation.gain, beside: situation.thumb.midY, edge: -ScrubberView.bubbleGap,
      room: Size(width: situation.room - 2 * ScrubberView.bubbleGap, height: bounds.height), in: resources)
  }

  // MARK: Marks

  /// Looks for what begins along some more of the line, if that fits.
  ///
  /// - Parameters:
  ///   - budget: the time that there is.
  ///   - situation: how the thumb stands by now.
  /// - Returns: whether it did.
  func slackStep(_ budget: FrameBudget, _ situation: Situation) -> Bool {
    guard isStale || survey != nil, let dataSource, budget.allows(stepCost) else { return false }
    let count = dataSource.numberOfStretches
    // One that is under way is ended, as content may change in each frame: the next one begins then.
    if survey == nil || survey?.count != count {
      isStale = false
      survey = ScrubberSurvey(
        count: count,
        scale: ScrubberScale(
          length: situation.ends.upperBound - situation.ends.lowerBound, markPitch: ScrubberView.markPitch,
          labelPitch: ScrubberView.labelPitch))
    }
    let start = budget.clock.mark()
    let range = situation.range
    survey?.advance(atMost: ScrubberView.slotsPerStep) { stretch in
      range.length > 0 ? (dataSource.offset(ofStretch: stretch) - range.minimum) / range.length : 0
    } title: { stretch in
      dataSource.title(ofStretch: stretch)
    }
    // What others took of the time is no sign of what the next step takes, nor is one that was far dearer than any before.
    let cost = min(start.cost(until: budget.clock.mark()), stepCost * 4)
    stepCost = max(ScrubberView.leastStepCost, cost > stepCost ? cost : stepCost + (cost - stepCost) * 0.05)
    if let survey, survey.isDone {
      self.survey = nil
      take(survey.marks)
    }
    return true
  }

  private func take(_ marks: [ScrubberMark]) {
    // A time line on which nothing else begins tells nothing.
    let marks = marks.count > 1 ? marks : []
    guard marks != self.marks else { return }
    self.marks = marks
    // What is not seen asks for no frame.
    if line.strength > 0 { setNeedsDisplay() }
  }
}
