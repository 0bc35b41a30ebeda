import CollectionEngine
import CollectionLayout
import Geometry
import TestSupport
import Testing

@Suite("Displayed elements know which views stand beside the cells, and which left")
struct DisplayedElementsTests {
  static func header(_ section: Int, y: Double = 0) -> ElementAttributes {
    ElementAttributes(
      identity: ElementIdentity(kind: .supplementary("header"), section: section),
      frame: Rect(x: 0, y: y, width: 100, height: 20))
  }

  static func fill(_ elements: inout DisplayedElements<String>) {
    for place in 0..<elements.count where elements.view(at: place) == nil {
      _ = elements.setView("\(elements.attributes[place].identity.section ?? -1)", at: place)
    }
  }

  static func shown(_ elements: DisplayedElements<String>) -> [String] {
    (0..<elements.count).map { elements.view(at: $0) ?? "-" }
  }

  @Test("Views stay with their elements while these move, come and go")
  func exchange() {
    var elements = DisplayedElements<String>()
    var next = [Self.header(0), Self.header(1)]
    #expect(elements.replaceElements(with: &next).isEmpty)
    Self.fill(&elements)
    next = [Self.header(0, y: 5), Self.header(1, y: 9)]
    #expect(elements.replaceElements(with: &next).isEmpty)
    #expect(next == [Self.header(0), Self.header(1)], "the last list's memory comes back")
    #expect(elements.attributes[1].frame.minY == 9)
    #expect(Self.shown(elements) == ["0", "1"])
    next = [Self.header(2), Self.header(1)]
    #expect(elements.replaceElements(with: &next).map(\.view) == ["0"])
    #expect(Self.shown(elements) == ["-", "1"])
    Self.fill(&elements)
    #expect(elements.setView("other", at: 1) == "1")
    #expect(elements.index(of: Self.header(1).identity) == 1)
    #expect(elements.index(of: Self.header(7).identity) == nil)
    #expect(elements.removeAll().map(\.view) == ["2", "other"])
    #expect(elements.count == 0)
  }

  @Test("Sections that have other numbers keep their views")
  func rename() {
    var elements = DisplayedElements<String>()
    var next = [Self.header(3), Self.header(4), Self.header(5)]
    _ = elements.replaceElements(with: &next)
    Self.fill(&elements)
    let gone = elements.remapIdentities { identity in
      var identity = identity
      identity.section = [3: 7, 5: 1][identity.section ?? 0]
      return identity.section == nil ? nil : identity
    }
    #expect(gone.map(\.view) == ["4"])
    #expect(elements.attributes.map(\.identity.section) == [7, 1])
    #expect(Self.shown(elements) == ["3", "5"])
  }

  @Test("Whatever comes and goes, no view is lost, shown twice or shown by another element", arguments: 0..<6)
  func random(seed: Int) {
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
      for place in 0..<elements.count where elements.view(at: place) == nil {
        let name = "\(elements.attributes[place].identity.section ?? -1)"
        #expect(live.insert(name).inserted)
        _ = elements.setView(name, at: place)
      }
      #expect(Self.shown(elements) == elements.attributes.map { "\($0.identity.section ?? -1)" })
    }
  }
}
