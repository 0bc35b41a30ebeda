import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineGeometry
import VitrineTestSupport

@Suite("Displayed elements track which supplementary views are displayed and which were removed")
struct DisplayedElementsTests {
  static func header(_ section: Int, y: Double = 0) -> ElementAttributes {
    ElementAttributes(
      identity: ElementIdentity(kind: .supplementary("header"), section: section),
      frame: Rect(x: 0, y: y, width: 100, height: 20))
  }

  static func fill(_ elements: inout DisplayedElements<String>) {
    for index in 0..<elements.count where elements.view(at: index) == nil {
      _ = elements.setView("\(elements.attributes[index].identity.section ?? -1)", at: index)
    }
  }

  static func displayedViews(_ elements: DisplayedElements<String>) -> [String] {
    (0..<elements.count).map { elements.view(at: $0) ?? "-" }
  }

  @Test("Views stay with their elements while the elements move, appear and disappear")
  func exchange() {
    var elements = DisplayedElements<String>()
    var next = [Self.header(0), Self.header(1)]
    #expect(elements.replaceElements(with: &next).isEmpty)
    Self.fill(&elements)
    next = [Self.header(0, y: 5), Self.header(1, y: 9)]
    #expect(elements.replaceElements(with: &next).isEmpty)
    #expect(next == [Self.header(0), Self.header(1)], "the storage of the previous list is returned")
    #expect(elements.attributes[1].frame.minY == 9)
    #expect(Self.displayedViews(elements) == ["0", "1"])
    next = [Self.header(2), Self.header(1)]
    #expect(elements.replaceElements(with: &next).map(\.view) == ["0"])
    #expect(Self.displayedViews(elements) == ["-", "1"])
    Self.fill(&elements)
    #expect(elements.setView("other", at: 1) == "1")
    #expect(elements.index(of: Self.header(1).identity) == 1)
    #expect(elements.index(of: Self.header(7).identity) == nil)
    #expect(elements.removeAll().map(\.view) == ["2", "other"])
    #expect(elements.count == 0)
  }

  @Test("Views stay with their sections when the sections are renumbered")
  func renumbering() {
    var elements = DisplayedElements<String>()
    var next = [Self.header(3), Self.header(4), Self.header(5)]
    _ = elements.replaceElements(with: &next)
    Self.fill(&elements)
    let removed = elements.apply(IndexMap(sections: Array(0..<6), to: [10, 5, 11, 12, 13, 14, 15, 3]))
    #expect(removed.map(\.view) == ["4"])
    #expect(elements.attributes.map(\.identity.section) == [7, 1])
    #expect(Self.displayedViews(elements) == ["3", "5"])
  }

  @Test("No view is lost, displayed twice or displayed by another element", arguments: 0..<6)
  func randomChanges(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var elements = DisplayedElements<String>()
    var live: Set<String> = []
    for _ in 0..<300 {
      var next = (0..<8).filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator).map {
        Self.header($0)
      }
      for (identity, view) in elements.replaceElements(with: &next) {
        #expect(view == "\(identity.section ?? -1)")
        #expect(live.remove(view) != nil)
      }
      for index in 0..<elements.count where elements.view(at: index) == nil {
        let name = "\(elements.attributes[index].identity.section ?? -1)"
        #expect(live.insert(name).inserted)
        _ = elements.setView(name, at: index)
      }
      #expect(Self.displayedViews(elements) == elements.attributes.map { "\($0.identity.section ?? -1)" })
    }
  }
}

@Suite("Waiting supplementary views are found by the identities of their elements")
struct WaitingElementsTests {
  static func header(_ section: Int) -> ElementIdentity {
    ElementIdentity(kind: .supplementary("header"), section: section)
  }

  static func views(_ sections: Int...) -> WaitingElements<String> {
    var waiting = WaitingElements<String>()
    for section in sections { waiting.insert("h\(section)", of: header(section)) }
    return waiting
  }

  @Test("A view can be removed once, by the identity of its element")
  func removal() {
    var waiting = Self.views(3, 1)
    let removed = waiting.removeView(of: Self.header(1))
    let again = waiting.removeView(of: Self.header(1))
    #expect(removed?.view == "h1" && removed?.progress == .ready && again == nil)
    #expect(waiting.count == 1 && waiting[Self.header(3)]?.view == "h3")
    #expect(waiting[ElementIdentity(kind: .supplementary("footer"), section: 3)] == nil)
  }

  @Test("Remapping keeps the views of remaining sections and returns the others in order")
  func remapping() {
    var waiting = Self.views(5, 2, 3, 4)
    let removed = waiting.apply(IndexMap(sections: Array(0..<6), to: [0, 1, 4, 6, 2]))
    #expect(removed == ["h5", "h3"])
    #expect(waiting[Self.header(4)]?.view == "h2" && waiting[Self.header(2)]?.view == "h4")
    let rest = waiting.removeAll()
    #expect(rest == ["h2", "h4"] && waiting.isEmpty)
  }

  @Test("Progress is reset to an earlier step, and never advanced")
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

  @Test("Removing the views outside the limits returns them in order")
  func removingViews() {
    var waiting = Self.views(1, 2, 3, 4)
    let none = waiting.removeViews { _ in true }
    let odd = waiting.removeViews { ($0.section ?? 0) % 2 == 0 }
    #expect(none.isEmpty && odd == ["h1", "h3"])
    #expect(waiting.entries.map(\.view) == ["h2", "h4"])
  }
}
