import CollectionEngine
import CollectionLayout
import Testing

@Suite("Views beside the cells wait by the names of their elements")
struct WaitingElementsTests {
  static func header(_ section: Int) -> ElementIdentity {
    ElementIdentity(kind: .supplementary("header"), section: section)
  }

  static func views(_ sections: Int...) -> WaitingElements<String> {
    var waiting = WaitingElements<String>()
    for section in sections { waiting.insert("h\(section)", of: header(section)) }
    return waiting
  }

  @Test("A view is taken once, by the name of its element alone")
  func taking() {
    var waiting = Self.views(3, 1)
    let taken = waiting.removeView(of: Self.header(1))
    let again = waiting.removeView(of: Self.header(1))
    #expect(taken?.view == "h1" && taken?.progress == .ready && again == nil)
    #expect(waiting.count == 1 && waiting[Self.header(3)]?.view == "h3")
    #expect(waiting[ElementIdentity(kind: .supplementary("footer"), section: 3)] == nil)
  }

  @Test("New names keep the views of sections that stay; those of the others come back in their order")
  func renaming() {
    var waiting = Self.views(5, 2, 3, 4)
    let gone = waiting.remapIdentities { identity in
      guard let section = identity.section, section != 3, section != 5 else { return nil }
      return Self.header(section == 2 ? 4 : 2)
    }
    #expect(gone == ["h5", "h3"])
    #expect(waiting[Self.header(4)]?.view == "h2" && waiting[Self.header(2)]?.view == "h4")
    let rest = waiting.removeAll()
    #expect(rest == ["h2", "h4"] && waiting.isEmpty)
  }

  @Test("What came further is set back to a step, and what has not come so far stays")
  func progress() {
    var waiting = Self.views(1, 2)
    waiting.setProgress(PreparationProgress(next: .configure), of: Self.header(1))
    waiting.setProgress(PreparationProgress(next: .draw), of: Self.header(9))
    waiting.resetProgress(to: .size)
    #expect(waiting.entries.map(\.progress.next) == [.configure, .size])
    waiting.resetProgress(to: .configure) { $0.section == 1 }
    #expect(waiting.entries.map(\.progress.next) == [.configure, .size])
    waiting.resetProgress(to: .configure) { $0.section == 2 }
    #expect(waiting.entries.map(\.progress.next) == [.configure, .configure])
  }

  @Test("Views outside of what is kept are let go in their order")
  func dropping() {
    var waiting = Self.views(1, 2, 3, 4)
    let none = waiting.removeViews { _ in true }
    let odd = waiting.removeViews { ($0.section ?? 0) % 2 == 0 }
    #expect(none.isEmpty && odd == ["h1", "h3"])
    #expect(waiting.entries.map(\.view) == ["h2", "h4"])
  }
}
