import CollectionEngine
import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("An update's transaction tells where each element goes, from where it is shown")
struct UpdateTransactionTests {
  typealias Target = UpdateTransitionPlanner.Target

  static let viewport = Rect(x: 0, y: 1_000, width: 400, height: 300)

  static func row(_ y: Double, height: Double = 50) -> Rect { Rect(x: 0, y: y, width: 400, height: height) }

  /// Six rows on screen, from 1,000 on, and some around them.
  static func transaction() -> UpdateTransitionPlanner {
    var transaction = UpdateTransitionPlanner(viewport: viewport)
    for index in 20..<26 { transaction.recordElement(.item(index), at: row(Double(index) * 50), isSeen: true) }
    for index in 14..<32 { transaction.recordElement(.item(index), at: row(Double(index) * 50), isSeen: false) }
    return transaction
  }

  static func transitions(
    _ transaction: UpdateTransitionPlanner, in viewport: Rect = viewport,
    current: (AnimatedElement) -> Displacement = { _ in .zero }, arrivals: [UpdateTransitionPlanner.Arrival] = [],
    target: (AnimatedElement) -> Target?
  ) -> [AnimatedElement: ElementTransition] {
    var found: [AnimatedElement: ElementTransition] = [:]
    let list = transaction.transitions(
      in: viewport, current: current, target: target, arrivals: arrivals, axis: .vertical)
    for transition in list {
      #expect(found[transition.element] == nil, "each once")
      found[transition.element] = transition
    }
    return found
  }

  /// Where an element is shown at the beginning of a transition.
  static func shown(_ transition: ElementTransition?) -> Rect? {
    transition.map { $0.initialDisplacement.applied(to: $0.finalFrame) }
  }

  @Test("What stays where it is has no way")
  func nothing() {
    let transitions = Self.transitions(Self.transaction()) { element in
      guard case .item(let index) = element else { return nil }
      return Target(Self.row(Double(index) * 50), isSeen: (20..<26).contains(index))
    }
    #expect(transitions.values.allSatisfy { $0.initialDisplacement == .zero && $0.fadingCopy == nil })
  }

  @Test("An item that is inserted grows and fades in, and those behind it make way from where they were")
  func insertion() {
    var transaction = Self.transaction()
    transaction.remapElements { element in
      guard case .item(let index) = element else { return element }
      return .item(index < 22 ? index : index + 1)
    }
    #expect(!transaction.contains(.item(22)) && transaction.contains(.item(26)))
    let transitions = Self.transitions(transaction, arrivals: [(.item(22), Self.row(1_100), .new)]) { element in
      guard case .item(let index) = element else { return nil }
      return Target(Self.row(Double(index) * 50), isSeen: (20..<26).contains(index))
    }
    #expect(transitions[.item(22)]?.initialDisplacement == Displacement(width: -60, height: -7.5, opacity: -1))
    #expect(transitions[.item(22)]?.level == .appearing)
    #expect(transitions[.item(21)]?.initialDisplacement == .zero)
    for index in 23..<26 { #expect(transitions[.item(index)]?.initialDisplacement == Displacement(y: -50)) }
    #expect(transitions[.item(26)]?.level == .disappearing, "it goes below the end of the screen")
    #expect(Self.shown(transitions[.item(26)]) == Self.row(1_250))
  }

  @Test("The content's coordinates may move with the anchor: nothing is shown elsewhere by that")
  func shift() {
    var transaction = Self.transaction()
    // Two rows came before all of these.
    transaction.remapElements { if case .item(let index) = $0 { .item(index + 2) } else { $0 } }
    transaction.shiftContent(by: Point(x: 0, y: 100))
    let viewport = Self.viewport.offset(by: Point(x: 0, y: 100))
    let transitions = Self.transitions(transaction, in: viewport) { element in
      guard case .item(let index) = element else { return nil }
      return Target(Self.row(Double(index) * 50), isSeen: (22..<28).contains(index))
    }
    #expect(transitions.values.allSatisfy { $0.initialDisplacement == .zero })
  }

  @Test("On the way already, an element goes on from where it is shown; what was fading goes on fading")
  func interrupted() {
    var transaction = Self.transaction()
    transaction.recordElement(.disappearing(3), at: Self.row(1_010), isSeen: true, opacity: 0)
    let transitions = Self.transitions(
      transaction,
      current: { element in
        switch element {
        case .item(21): Displacement(y: 30, opacity: -0.25)
        case .disappearing: Displacement(opacity: 0.5)
        default: .zero
        }
      },
      target: { element in
        switch element {
        case .item(let index): Target(Self.row(Double(index) * 50 + 10), isSeen: (20..<26).contains(index))
        default: Target(Self.row(1_010), isSeen: false, opacity: 0)
        }
      })
    #expect(transitions[.item(20)]?.initialDisplacement == Displacement(y: -10))
    #expect(transitions[.item(21)]?.initialDisplacement == Displacement(y: 20, opacity: -0.25))
    #expect(transitions[.disappearing(3)]?.initialDisplacement == Displacement(opacity: 0.5))
    #expect(transitions[.disappearing(3)]?.level == .disappearing)
  }

  @Test("From off screen and to there ways are a viewport long at most")
  func clamped() {
    var transaction = Self.transaction()
    transaction.remapElements { $0 == .item(25) ? .disappearing(1) : $0 }
    let transitions = Self.transitions(
      transaction,
      arrivals: [(.item(5), Self.row(1_050), .beforeViewport), (.item(900), Self.row(1_250), .afterViewport)]
    ) { element in
      switch element {
      case .disappearing: Target(Self.row(90_000), isSeen: false)
      case .item(14): Target(Self.row(1_000), isSeen: true)
      case .item(let index): Target(Self.row(Double(index) * 50), isSeen: (20..<25).contains(index))
      case .element: nil
      }
    }
    #expect(transitions[.disappearing(1)]?.finalFrame == Self.row(1_600))
    #expect(transitions[.disappearing(1)]?.opacity == 1)
    #expect(Self.shown(transitions[.disappearing(1)]) == Self.row(1_250))
    #expect(Self.shown(transitions[.item(14)]) == Self.row(700), "that is as far as it was")
    #expect(Self.shown(transitions[.item(5)]) == Self.row(650), "a viewport and its own height before the edge")
    #expect(Self.shown(transitions[.item(900)]) == Self.row(1_600))
  }

  @Test("Where most of what is seen goes farther than two screens, the old fades out in place and the new in")
  func large() {
    func transitions(farCount: Int) -> [AnimatedElement: ElementTransition] {
      var transaction = Self.transaction()
      transaction.remapElements { element in
        guard case .item(let index) = element, index >= 26 - farCount, index < 26 else { return element }
        return .disappearing(index)
      }
      return Self.transitions(transaction, arrivals: [(.item(700), Self.row(1_250), .afterViewport)]) { element in
        switch element {
        case .disappearing(let index): Target(Self.row(Double(index) * 500), isSeen: false)
        case .item(20): Target(Self.row(1_100), isSeen: true)
        case .item(let index): Target(Self.row(Double(index) * 50), isSeen: (20..<26).contains(index))
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
      most[.item(21)]?.initialDisplacement == .zero && most[.item(21)]?.fadingCopy == nil, "it does not go anywhere")
    #expect(most[.item(700)]?.initialDisplacement == Displacement(opacity: -1))
  }

  @Test("A transaction that is said to be large is faded whatever the ways are")
  func saidToBeLarge() {
    var transaction = Self.transaction()
    transaction.isLarge = true
    let transitions = Self.transitions(transaction) { element in
      guard case .item(let index) = element else { return nil }
      return Target(Self.row(Double(index) * 50 + 20), isSeen: (20..<26).contains(index))
    }
    #expect(transitions[.item(20)]?.fadingCopy == Self.row(1_000))
  }

  @Test("An item with another cell goes its way with both: the old one fades, and the new one comes")
  func replaced() {
    var transaction = Self.transaction()
    transaction.replaceElement(.item(22), leaving: .disappearing(1))
    transaction.recordMove(of: .item(22))
    let transitions = Self.transitions(transaction) { element in
      switch element {
      case .item(22): Target(Self.row(1_250), isSeen: true)
      case .disappearing: Target(Self.row(1_250), isSeen: false, opacity: 0)
      default: nil
      }
    }
    #expect(transitions[.item(22)]?.initialDisplacement == Displacement(y: -150, opacity: -1))
    #expect(transitions[.item(22)]?.level == .moved)
    #expect(transitions[.disappearing(1)]?.initialDisplacement == Displacement(y: -150, opacity: 1))
  }

  @Test("A view that stands at an edge of the viewport goes with it, however that was scrolled meanwhile")
  func pinned() {
    let header = AnimatedElement.element(ElementIdentity(kind: .supplementary("header"), section: 0))
    var transaction = UpdateTransitionPlanner(viewport: Self.viewport)
    transaction.recordElement(header, at: Self.row(1_000, height: 30), isSeen: true, isPinned: true)
    transaction.shiftContent(by: Point(x: 0, y: -200))
    let viewport = Self.viewport.offset(by: Point(x: 0, y: -163))
    let transitions = Self.transitions(transaction, in: viewport) { _ in
      Target(Self.row(837, height: 30), isSeen: true, isPinned: true)
    }
    #expect(transitions[header]?.initialDisplacement == .zero)
  }

  @Test("Over random updates every element is shown where it was, or a viewport away, and ends at its place")
  func laws() {
    var random = SeededGenerator(seed: 23)
    for _ in 0..<300 {
      let shift = Point(x: 0, y: .random(in: -4_000...4_000, using: &random))
      var transaction = UpdateTransitionPlanner(viewport: Self.viewport)
      var before: [AnimatedElement: Rect] = [:]
      var targets: [AnimatedElement: Target] = [:]
      for index in 0..<12 {
        let element = AnimatedElement.item(index)
        let isSeen = index < 7
        let y = isSeen ? Double.random(in: 960...1_290, using: &random) : .random(in: 0...900, using: &random)
        transaction.recordElement(element, at: Self.row(y), isSeen: isSeen)
        before[element] = Self.row(y + shift.y)
        let staysSeen = Bool.random(using: &random)
        let to = staysSeen ? Double.random(in: 960...1_290, using: &random) : .random(in: 1_400...9_000, using: &random)
        targets[element] = Target(Self.row(to + shift.y), isSeen: staysSeen)
      }
      transaction.shiftContent(by: shift)
      let viewport = Self.viewport.offset(by: shift)
      let transitions = Self.transitions(transaction, in: viewport) { targets[$0] }
      for (element, transition) in transitions {
        let (from, to) = (before[element] ?? .zero, targets[element]?.frame ?? .zero)
        if transition.fadingCopy == nil, transition.opacity > 0, transition.initialDisplacement.opacity == 0 {
          let begin = Self.shown(transition)
          let isNear = begin.map { abs($0.minY - from.minY) < 1e-6 } ?? false
          #expect(isNear || begin.map { $0.maxY } == viewport.minY - viewport.height)
        }
        let isSeen = targets[element]?.isSeen ?? false
        #expect(!isSeen || transition.finalFrame == to)
        #expect(transition.finalFrame.minY <= viewport.maxY + viewport.height)
      }
    }
  }
}
