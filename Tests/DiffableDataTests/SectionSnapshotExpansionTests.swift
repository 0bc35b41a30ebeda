import DiffableData
import Testing

@Suite("An expansion is asked for, told, given its children, and then made")
struct SectionSnapshotExpansionTests {
  typealias Decider = ExpansionDecider<String>

  private var garden: SectionSnapshotTests.Snapshot { SectionSnapshotTests.garden() }

  @Test("Expanding goes step by step, and the items that come into sight are named")
  func expand() {
    let decider = Decider("trees", expands: true)
    #expect(decider.handle(.requested, in: garden) == .ask)
    #expect(decider.handle(.answered(true), in: garden) == .tell)
    #expect(decider.handle(.told, in: garden) == .askForChildren)
    var next = garden
    next.expand(["trees"])
    let outcome = Decider.Outcome(snapshot: next, items: ["oak", "beech"])
    #expect(decider.handle(.provided(nil), in: garden) == .show(outcome))
  }

  @Test("Children that are given take the place of those that were there, with what is expanded in them")
  func children() {
    var children = SectionSnapshotTests.Snapshot()
    children.append(["lime", "beech"])
    children.append(["silver lime"], to: "lime")
    children.expand(["lime"])
    guard
      case .show(let outcome) = Decider("trees", expands: true).handle(.provided(children), in: garden)
    else {
      Issue.record("nothing is shown")
      return
    }
    #expect(outcome.items == ["lime", "silver lime", "beech"])
    #expect(outcome.snapshot.items == ["trees", "lime", "silver lime", "beech", "flowers", "tulip"])
    #expect(outcome.snapshot.isExpanded("trees"))
  }

  @Test("Collapsing names the items that go out of sight, deep ones too")
  func collapse() {
    var open = garden
    open.expand(["trees", "oak"])
    let decider = Decider("trees", expands: false)
    #expect(decider.handle(.requested, in: open) == .ask)
    #expect(decider.handle(.answered(true), in: open) == .tell)
    var next = open
    next.collapse(["trees"])
    let outcome = Decider.Outcome(snapshot: next, items: ["oak", "red oak", "white oak", "beech"])
    #expect(decider.handle(.told, in: open) == .hide(outcome))
    #expect(decider.handle(.provided(nil), in: open) == .end)
  }

  @Test("An item that is hidden itself brings nothing into sight, but is expanded")
  func hidden() {
    var next = garden
    next.expand(["oak"])
    let outcome = Decider.Outcome(snapshot: next, items: [])
    #expect(Decider("oak", expands: true).handle(.provided(nil), in: garden) == .show(outcome))
  }

  @Test("It ends at every step when it is refused, the item is gone, or it is as wished already")
  func ends() {
    #expect(Decider("trees", expands: true).handle(.answered(false), in: garden) == .end)
    #expect(Decider("trees", expands: false).handle(.answered(false), in: garden) == .end)
    var open = garden
    open.expand(["trees"])
    let events: [Decider.Event] = [.requested, .answered(true), .told, .provided(nil)]
    for event in events {
      #expect(Decider("cactus", expands: true).handle(event, in: garden) == .end)
      #expect(Decider("cactus", expands: false).handle(event, in: garden) == .end)
      #expect(Decider("trees", expands: true).handle(event, in: open) == .end)
      #expect(Decider("trees", expands: false).handle(event, in: garden) == .end)
    }
  }
}
