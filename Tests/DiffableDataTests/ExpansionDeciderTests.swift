import Testing
import VitrineDiffableData

@Suite("An expansion requests permission, notifies the client, requests the children, and then shows them")
struct ExpansionDeciderTests {
  typealias Decider = ExpansionDecider<String>

  private var garden: SectionSnapshotTests.Snapshot { SectionSnapshotTests.garden() }

  @Test("Expanding proceeds step by step and returns the items that become visible")
  func expand() {
    let decider = Decider("trees", expands: true)
    #expect(decider.handle(.requested, in: garden) == .requestPermission)
    #expect(decider.handle(.permissionReceived(true), in: garden) == .notifyClient)
    #expect(decider.handle(.clientNotified, in: garden) == .requestChildren)
    var next = garden
    next.expand(["trees"])
    let outcome = Decider.Outcome(snapshot: next, items: ["oak", "beech"])
    #expect(decider.handle(.childrenReceived(nil), in: garden) == .insertItems(outcome))
  }

  @Test("Provided children replace the existing ones, and keep their own expansion state")
  func children() {
    var children = SectionSnapshotTests.Snapshot()
    children.append(["lime", "beech"])
    children.append(["silver lime"], to: "lime")
    children.expand(["lime"])
    guard
      case .insertItems(let outcome) = Decider("trees", expands: true).handle(.childrenReceived(children), in: garden)
    else {
      Issue.record("no items are shown")
      return
    }
    #expect(outcome.items == ["lime", "silver lime", "beech"])
    #expect(outcome.snapshot.items == ["trees", "lime", "silver lime", "beech", "flowers", "tulip"])
    #expect(outcome.snapshot.isExpanded("trees"))
  }

  @Test("Collapsing returns the items that become hidden, at any depth")
  func collapse() {
    var open = garden
    open.expand(["trees", "oak"])
    let decider = Decider("trees", expands: false)
    #expect(decider.handle(.requested, in: open) == .requestPermission)
    #expect(decider.handle(.permissionReceived(true), in: open) == .notifyClient)
    var next = open
    next.collapse(["trees"])
    let outcome = Decider.Outcome(snapshot: next, items: ["oak", "red oak", "white oak", "beech"])
    #expect(decider.handle(.clientNotified, in: open) == .deleteItems(outcome))
    #expect(decider.handle(.childrenReceived(nil), in: open) == .end)
  }

  @Test("Expanding a hidden item shows no items")
  func hidden() {
    var next = garden
    next.expand(["oak"])
    let outcome = Decider.Outcome(snapshot: next, items: [])
    #expect(Decider("oak", expands: true).handle(.childrenReceived(nil), in: garden) == .insertItems(outcome))
  }

  @Test("Every step ends if it is refused, the item is unknown, or the item has the requested state already")
  func ends() {
    #expect(Decider("trees", expands: true).handle(.permissionReceived(false), in: garden) == .end)
    #expect(Decider("trees", expands: false).handle(.permissionReceived(false), in: garden) == .end)
    var open = garden
    open.expand(["trees"])
    let events: [Decider.Event] = [.requested, .permissionReceived(true), .clientNotified, .childrenReceived(nil)]
    for event in events {
      #expect(Decider("cactus", expands: true).handle(event, in: garden) == .end)
      #expect(Decider("cactus", expands: false).handle(event, in: garden) == .end)
      #expect(Decider("trees", expands: true).handle(event, in: open) == .end)
      #expect(Decider("trees", expands: false).handle(event, in: garden) == .end)
    }
  }
}
