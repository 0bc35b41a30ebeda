import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@testable import vitrine_outline

@Suite("The outline expands, collapses and takes new orders, by hand and by keys")
struct OutlineTests {
  @Test("It begins with favourites, continents and one open region")
  func beginning() {
    let outline = OutlineStage()
    #expect(outline.rows(.favourites).first == "* Vík" && outline.rows(.favourites).count == 7)
    #expect(
      outline.rows(.continent(0)) == [
        "Iceland", "  Vík", "  Húsavík", "  Landmannalaugar", "  Jökulsárlón", "Dolomites", "Lofoten", "Azores",
      ])
    #expect(outline.rows(.continent(1)) == ["Hokkaidō", "Kansai", "Rajasthan", "Pamir"])
    #expect(OutlineStage(expandsAll: true).rows(.continent(1)).count == 15)
  }

  @Test("A click on a region shows its destinations and turns its indicator; another one hides them")
  func click() {
    let outline = OutlineStage()
    let region = Entry.region("Dolomites")
    let cell = outline.cell(of: region)
    outline.click(outline.middle(of: region))
    #expect(outline.rows(.continent(0)).contains("  Seceda") && outline.view.isAnimatingUpdates)
    outline.stage.run(frames: 6)
    let angle = outline.list.turning.angle(of: "Dolomites", isExpanded: true)
    #expect(angle > 5 && angle < 85, "it is on its way: \(angle)")
    outline.stage.runUntilIdle()
    #expect(outline.list.turning.angle(of: "Dolomites", isExpanded: true) == 90)
    #expect(outline.cell(of: region) === cell && outline.view.indexPathsForSelectedItems.isEmpty)
    outline.click(outline.middle(of: region))
    outline.stage.run(frames: 6)
    outline.click(outline.middle(of: region))
    #expect(outline.list.turning.angle(of: "Dolomites", isExpanded: true) > 5, "back from where it is")
    outline.click(outline.middle(of: region))
    outline.stage.runUntilIdle()
    #expect(!outline.rows(.continent(0)).contains("  Seceda") && outline.stage.runUntilIdle() == 0)
  }

  @Test("A click on a header collapses its regions, and expands all where none is expanded")
  func header() {
    let outline = OutlineStage()
    let header = outline.view.supplementaryView(ofKind: OutlineLayout.headerKind, at: IndexPath(item: 0, section: 1))
    let corner = header.map { outline.view.origin(of: $0) } ?? .zero
    let place = Point(x: corner.x + 40, y: corner.y + 30)
    outline.click(place)
    outline.stage.runUntilIdle()
    #expect(outline.rows(.continent(0)) == ["Iceland", "Dolomites", "Lofoten", "Azores"])
    outline.click(place)
    outline.stage.runUntilIdle()
    #expect(outline.rows(.continent(0)).count == 17)
  }

  @Test("Keys go from row to row, into regions and out of them, and move them")
  func keys() {
    let outline = OutlineStage()
    func focused() -> String? {
      outline.view.focusedIndexPath.flatMap { outline.list.dataSource.itemIdentifier(for: $0) }.map(outline.words)
    }
    outline.key(.down)
    #expect(focused() == "* Vík")
    outline.key(.right)
    #expect(focused() == "* Tre Cime")
    outline.key(.down)
    #expect(focused() == "Iceland")
    outline.key(.right)
    #expect(focused() == "  Vík")
    outline.key(.left)
    outline.key(.left)
    #expect(focused() == "Iceland" && outline.rows(.continent(0)).count == 4)
    outline.key(.down)
    outline.key(.right)
    #expect(focused() == "Dolomites" && outline.rows(.continent(0)).count == 7)
    outline.key(.up)
    outline.key(.up)
    #expect(focused() == "* Vík")
    outline.key(.right, .alt)
    #expect(outline.rows(.favourites).prefix(2) == ["* Tre Cime", "* Vík"] && outline.atlas.favourites.count == 7)
    outline.key(.down)
    outline.key(.down, .alt)
    outline.stage.runUntilIdle()
    #expect(
      outline.rows(.continent(0)) == [
        "Dolomites", "  Tre Cime", "  Seceda", "  Lago di Braies", "Iceland", "Lofoten", "Azores",
      ], "past all that is below the next one")
    #expect(outline.atlas.continents[0].regions.prefix(2) == ["Dolomites", "Iceland"])
    outline.key(.enter)
    outline.stage.runUntilIdle()
    #expect(outline.rows(.continent(0)).count == 11 && focused() == "Iceland")
  }

  @Test("What the keyboard is at is in view, and not beneath a header")
  func view() {
    let outline = OutlineStage(expandsAll: true)
    for _ in 0..<40 { outline.key(.down) }
    outline.stage.runUntilIdle()
    for step in 0..<30 {
      outline.key(.up, step % 3 == 0 ? .alt : [])
      outline.stage.runUntilIdle()
      let frame = outline.view.focusedIndexPath.flatMap { outline.view.frameOfItem(at: $0) }
      let top = (frame?.minY ?? -1) - outline.view.contentOffset
      #expect(top >= OutlineLayout.headerHeight && top <= 1_000 - OutlineLayout.rowHeight, "\(step)")
    }
  }

  @Test("A destination is carried to another region; the store follows, and both count anew")
  func carry() {
    let outline = OutlineStage()
    let seceda = outline.destination("Seceda")
    outline.click(outline.middle(of: .region("Dolomites")))
    outline.stage.runUntilIdle()
    let place = outline.middle(of: outline.destination("Húsavík"))
    outline.drag(outline.middle(of: seceda), to: place)
    #expect(outline.atlas.regions["Iceland"]?.destinations.count == 4, "nothing is stored yet")
    outline.release(place)
    outline.stage.runUntilIdle()
    #expect(outline.rows(.continent(0)).prefix(4).contains("  Seceda"))
    #expect(outline.atlas.regions["Iceland"]?.destinations.count == 5)
    #expect(outline.atlas.regions["Dolomites"]?.destinations.count == 2)
  }

  @Test("The last destination of a region may leave it, and come back")
  func empty() {
    let outline = OutlineStage(expandsAll: true)
    let (karakul, wakhan) = (outline.destination("Karakul"), outline.destination("Wakhan"))
    for entry in [karakul, wakhan] {
      guard let path = outline.list.dataSource.indexPath(for: entry) else { continue }
      outline.view.scrollToItem(at: path, alignment: .center, animated: false)
      outline.stage.runUntilIdle()
      let place = outline.middle(of: outline.destination("Jodhpur"))
      outline.drag(outline.middle(of: entry), to: place)
      outline.release(place)
      outline.stage.runUntilIdle()
    }
    #expect(outline.atlas.regions["Pamir"]?.destinations.isEmpty == true)
    let pamir = outline.middle(of: .region("Pamir"))
    outline.drag(outline.middle(of: karakul), to: Point(x: pamir.x, y: pamir.y + 40))
    outline.release(Point(x: pamir.x, y: pamir.y + 40))
    outline.stage.runUntilIdle()
    #expect(outline.atlas.regions["Pamir"]?.destinations.count == 1)
  }

  @Test("A region is carried without its destinations, and put down with them")
  func region() {
    let outline = OutlineStage()
    // Its four destinations are not shown from then on, and the others come up.
    let below = outline.middle(of: .region("Lofoten"))
    let place = Point(x: below.x, y: below.y - 4 * OutlineLayout.rowHeight)
    outline.drag(outline.middle(of: .region("Iceland")), to: place)
    #expect(!outline.list.dataSource.shownSnapshot().contains(outline.destination("Vík")))
    outline.release(place)
    outline.stage.runUntilIdle()
    let rows = outline.rows(.continent(0))
    #expect(rows.prefix(4) == ["Dolomites", "Lofoten", "Iceland", "  Vík"])
    #expect(outline.atlas.continents[0].regions.first == "Dolomites")
  }

  @Test("The same hands make the same frames")
  func digest() {
    func run() -> String {
      let outline = OutlineStage()
      outline.click(outline.middle(of: .region("Lofoten")))
      outline.drag(outline.middle(of: outline.destination("Reine")), to: Point(x: 400, y: 590))
      outline.stage.run(frames: 40)
      outline.key(.escape)
      outline.stage.runUntilIdle()
      return outline.stage.loop.frameDigest.text
    }
    #expect(run() == run())
  }
}
