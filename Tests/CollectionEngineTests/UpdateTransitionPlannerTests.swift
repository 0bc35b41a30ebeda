import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineGeometry
import VitrineTestSupport

@Suite("The transitions of an update lead each element from its displayed frame to its final frame")
struct UpdateTransitionPlannerTests {
  typealias Target = UpdateTransitionPlanner.Target

  static let viewport = Rect(x: 0, y: 1_000, width: 400, height: 300)

  static func row(_ y: Double, height: Double = 50) -> Rect { Rect(x: 0, y: y, width: 400, height: height) }

  /// Returns a planner with six rows on screen, from 1,000 points on, and some rows around them.
  static func planner() -> UpdateTransitionPlanner {
    var planner = UpdateTransitionPlanner(viewport: viewport)
    for index in 20..<26 { planner.recordElement(.item(index), at: row(Double(index) * 50), isVisible: true) }
    for index in 14..<32 { planner.recordElement(.item(index), at: row(Double(index) * 50), isVisible: false) }
    return planner
  }

  static func transitions(
    _ planner: UpdateTransitionPlanner, in viewport: Rect = viewport,
    current: (AnimatedElement) -> Displacement = { _ in .zero }, arrivals: [UpdateTransitionPlanner.Arrival] = [],
    target: (AnimatedElement) -> Target?
  ) -> [AnimatedElement: ElementTransition] {
    var found: [AnimatedElement: ElementTransition] = [:]
    let list = planner.transitions(
      in: viewport, current: current, target: target, arrivals: arrivals, axis: .vertical)
    for transition in list {
      #expect(found[transition.element] == nil, "each element has one transition")
      found[transition.element] = transition
    }
    return found
  }

  /// Returns the frame of an element at the start of its transition.
  static func initialFrame(_ transition: ElementTransition?) -> Rect? {
    transition.map { $0.initialDisplacement.applied(to: $0.finalFrame) }
  }

  @Test("An element that stays at its frame has no displacement")
  func unchanged() {
    let transitions = Self.transitions(Self.planner()) { element in
      guard case .item(let index) = element else { return nil }
      return Target(Self.row(Double(index) * 50), isVisible: (20..<26).contains(index))
    }
    #expect(transitions.values.allSatisfy { $0.initialDisplacement == .zero && $0.fadingCopy == nil })
  }

  @Test("An element that leaves moves only if it may be seen between its frames, and one that stays in any case")
  func unseen() {
    let planner = Self.planner()
    let scrolled = Rect(x: 0, y: 2_000, width: 400, height: 300)
    func target(_ item: Int, at y: Double, isVisible: Bool = false) -> (AnimatedElement) -> Target? {
      { $0 == .item(item) ? Target(Self.row(y), isVisible: isVisible) : nil }
    }
    #expect(Self.transitions(planner, in: scrolled, target: target(20, at: 1_400)).isEmpty, "both before")
    #expect(Self.transitions(planner, in: scrolled, target: target(20, at: 2_400)).count == 1, "passes the viewport")
    #expect(Self.transitions(planner, in: scrolled, target: target(20, at: 2_100, isVisible: true)).count == 1)
    #expect(Self.transitions(planner, target: target(20, at: 400)).count == 1, "leaves the viewport")
    let shown = Displacement(y: 1_050)
    #expect(
      Self.transitions(planner, in: scrolled, current: { _ in shown }, target: target(20, at: 1_400)).count == 1,
      "is displayed in the viewport")
    #expect(planner.isSeen(.item(20), movingTo: Self.row(1_400), in: scrolled, displacedBy: shown))
    #expect(!planner.isSeen(.item(20), movingTo: Self.row(1_400), in: scrolled, displacedBy: .zero))
    #expect(!planner.isSeen(.item(99), movingTo: Self.row(2_100), in: scrolled, displacedBy: .zero), "not recorded")
  }

  @Test("An inserted item grows and fades in, and the items after it move from their old frames")
  func insertion() {
    var planner = Self.planner()
    planner.apply(IndexMap { $0 < 22 ? $0 : $0 + 1 })
    #expect(!planner.contains(.item(22)) && planner.contains(.item(26)))
    let transitions = Self.transitions(planner, arrivals: [(.item(22), Self.row(1_100), .new)]) { element in
      guard case .item(let index) = element else { return nil }
      return Target(Self.row(Double(index) * 50), isVisible: (20..<26).contains(index))
    }
    #expect(transitions[.item(22)]?.initialDisplacement == Displacement(width: -60, height: -7.5, opacity: -1))
    #expect(transitions[.item(22)]?.level == .appearing)
    #expect(transitions[.item(21)]?.initialDisplacement == .zero)
    for index in 23..<26 { #expect(transitions[.item(index)]?.initialDisplacement == Displacement(y: -50)) }
    #expect(transitions[.item(26)]?.level == .disappearing, "it moves below the viewport")
    #expect(Self.initialFrame(transitions[.item(26)]) == Self.row(1_250))
  }

  @Test("A shift of the content coordinates moves no element on screen")
  func contentShift() {
    var planner = Self.planner()
    // Two rows were inserted before all of these.
    planner.apply(IndexMap { $0 + 2 })
    planner.shiftContent(by: Point(x: 0, y: 100))
    let viewport = Self.viewport.offset(by: Point(x: 0, y: 100))
    let transitions = Self.transitions(planner, in: viewport) { element in
      guard case .item(let index) = element else { return nil }
      return Target(Self.row(Double(index) * 50), isVisible: (22..<28).contains(index))
    }
    #expect(transitions.values.allSatisfy { $0.initialDisplacement == .zero })
  }

  @Test("A moving element continues from its displayed frame, and a fading element continues to fade")
  func interrupted() {
    var planner = Self.planner()
    planner.recordElement(.disappearing(3), at: Self.row(1_010), isVisible: true, opacity: 0)
    let transitions = Self.transitions(
      planner,
      current: { element in
        switch element {
        case .item(21): Displacement(y: 30, opacity: -0.25)
        case .disappearing: Displacement(opacity: 0.5)
        default: .zero
        }
      },
      target: { element in
        switch element {
        case .item(let index): Target(Self.row(Double(index) * 50 + 10), isVisible: (20..<26).contains(index))
        default: Target(Self.row(1_010), isVisible: false, opacity: 0)
        }
      })
    #expect(transitions[.item(20)]?.initialDisplacement == Displacement(y: -10))
    #expect(transitions[.item(21)]?.initialDisplacement == Displacement(y: 20, opacity: -0.25))
    #expect(transitions[.disappearing(3)]?.initialDisplacement == Displacement(opacity: 0.5))
    #expect(transitions[.disappearing(3)]?.level == .disappearing)
  }

  @Test("Displacements from and to frames off screen are at most one viewport long")
  func clamped() {
    var planner = Self.planner()
    planner.apply(IndexMap { $0 == 25 ? nil : $0 }, leaving: [25: .disappearing(1)])
    let transitions = Self.transitions(
      planner,
      arrivals: [(.item(5), Self.row(1_050), .beforeViewport), (.item(900), Self.row(1_250), .afterViewport)]
    ) { element in
      switch element {
      case .disappearing: Target(Self.row(90_000), isVisible: false)
      case .item(14): Target(Self.row(1_000), isVisible: true)
      case .item(let index): Target(Self.row(Double(index) * 50), isVisible: (20..<25).contains(index))
      case .element: nil
      }
    }
    #expect(transitions[.disappearing(1)]?.finalFrame == Self.row(1_600))
    #expect(transitions[.disappearing(1)]?.opacity == 1)
    #expect(Self.initialFrame(transitions[.disappearing(1)]) == Self.row(1_250))
    #expect(Self.initialFrame(transitions[.item(14)]) == Self.row(700), "its actual distance")
    #expect(Self.initialFrame(transitions[.item(5)]) == Self.row(650), "a viewport and its own height before the edge")
    #expect(Self.initialFrame(transitions[.item(900)]) == Self.row(1_600))
  }

  @Test("If most visible elements move farther than two viewports, old and new elements cross-fade in place")
  func largeUpdate() {
    func transitions(farCount: Int) -> [AnimatedElement: ElementTransition] {
      var planner = Self.planner()
      let far = (26 - farCount)..<26
      planner.apply(
        IndexMap { far.contains($0) ? nil : $0 },
        leaving: Dictionary(uniqueKeysWithValues: far.map { ($0, .disappearing($0)) }))
      return Self.transitions(planner, arrivals: [(.item(700), Self.row(1_250), .afterViewport)]) { element in
        switch element {
        case .disappearing(let index): Target(Self.row(Double(index) * 500), isVisible: false)
        case .item(20): Target(Self.row(1_100), isVisible: true)
        case .item(let index): Target(Self.row(Double(index) * 50), isVisible: (20..<26).contains(index))
        case .element: nil
        }
      }
    }
    let few = transitions(farCount: 2)
    #expect(few[.disappearing(25)]?.opacity == 1 && few[.item(20)]?.initialDisplacement == Displacement(y: -100))
    #expect(few.values.allSatisfy { $0.fadingCopy == nil })
    let most = transitions(farCount: 4)
    #expect(most[.disappearing(25)]?.opacity == 0 && most[.disappearing(25)]?.finalFrame == Self.row(1_250))
    #expect(most[.disappearing(25)]?.initialDisplacement == Displacement(opacity: 1))
    #expect(most[.item(20)]?.fadingCopy == Self.row(1_000) && most[.item(20)]?.finalFrame == Self.row(1_100))
    #expect(most[.item(20)]?.initialDisplacement == Displacement(opacity: -1))
    #expect(
      most[.item(21)]?.initialDisplacement == .zero && most[.item(21)]?.fadingCopy == nil, "it does not move")
    #expect(most[.item(700)]?.initialDisplacement == Displacement(opacity: -1))
  }

  @Test("An update that is marked as large cross-fades regardless of the distances")
  func markedAsLarge() {
    var planner = Self.planner()
    planner.isLarge = true
    let transitions = Self.transitions(planner) { element in
      guard case .item(let index) = element else { return nil }
      return Target(Self.row(Double(index) * 50 + 20), isVisible: (20..<26).contains(index))
    }
    #expect(transitions[.item(20)]?.fadingCopy == Self.row(1_000))
  }

  @Test("A replaced cell moves together with its replacement: the old one fades out, the new one fades in")
  func replacedCell() {
    var planner = Self.planner()
    planner.replaceElement(.item(22), leaving: .disappearing(1))
    planner.recordMove(of: .item(22))
    let transitions = Self.transitions(planner) { element in
      switch element {
      case .item(22): Target(Self.row(1_250), isVisible: true)
      case .disappearing: Target(Self.row(1_250), isVisible: false, opacity: 0)
      default: nil
      }
    }
    #expect(transitions[.item(22)]?.initialDisplacement == Displacement(y: -150, opacity: -1))
    #expect(transitions[.item(22)]?.level == .moved)
    #expect(transitions[.disappearing(1)]?.initialDisplacement == Displacement(y: -150, opacity: 1))
  }

  @Test("A pinned view stays at the edge of the viewport, even if the content scrolled meanwhile")
  func pinned() {
    let header = AnimatedElement.element(ElementIdentity(kind: .supplementary("header"), section: 0))
    var planner = UpdateTransitionPlanner(viewport: Self.viewport)
    planner.recordElement(header, at: Self.row(1_000, height: 30), isVisible: true, isPinned: true)
    planner.shiftContent(by: Point(x: 0, y: -200))
    let viewport = Self.viewport.offset(by: Point(x: 0, y: -163))
    let transitions = Self.transitions(planner, in: viewport) { _ in
      Target(Self.row(837, height: 30), isVisible: true, isPinned: true)
    }
    #expect(transitions[header]?.initialDisplacement == .zero)
  }

  @Test("In random updates every element starts at its old frame or a viewport away, and ends at its final frame")
  func invariants() {
    var random = SeededGenerator(seed: 23)
    for _ in 0..<300 {
      let shift = Point(x: 0, y: .random(in: -4_000...4_000, using: &random))
      var planner = UpdateTransitionPlanner(viewport: Self.viewport)
      var before: [AnimatedElement: Rect] = [:]
      var targets: [AnimatedElement: Target] = [:]
      for index in 0..<12 {
        let element = AnimatedElement.item(index)
        let isSeen = index < 7
        let y = isSeen ? Double.random(in: 960...1_290, using: &random) : .random(in: 0...900, using: &random)
        planner.recordElement(element, at: Self.row(y), isVisible: isSeen)
        before[element] = Self.row(y + shift.y)
        let staysSeen = Bool.random(using: &random)
        let to = staysSeen ? Double.random(in: 960...1_290, using: &random) : .random(in: 1_400...9_000, using: &random)
        targets[element] = Target(Self.row(to + shift.y), isVisible: staysSeen)
      }
      planner.shiftContent(by: shift)
      let viewport = Self.viewport.offset(by: shift)
      let transitions = Self.transitions(planner, in: viewport) { targets[$0] }
      for (element, transition) in transitions {
        let (from, to) = (before[element] ?? .zero, targets[element]?.frame ?? .zero)
        if transition.fadingCopy == nil, transition.opacity > 0, transition.initialDisplacement.opacity == 0 {
          let start = Self.initialFrame(transition)
          let isNear = start.map { abs($0.minY - from.minY) < 1e-6 } ?? false
          #expect(isNear || start.map { $0.maxY } == viewport.minY - viewport.height)
        }
        let isSeen = targets[element]?.isVisible ?? false
        #expect(!isSeen || transition.finalFrame == to)
        #expect(transition.finalFrame.minY <= viewport.maxY + viewport.height)
      }
    }
  }
}
