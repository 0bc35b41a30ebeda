import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineHosting
import VitrineTestSupport

@testable import vitrine_outline

@Suite("The outline: expanding, reordering and keyboard navigation")
struct OutlineTests {
  @Test("The initial snapshot has favorites, continents and one expanded region")
  func initialSnapshot() {
    let outline = OutlineHarness()
    #expect(outline.rows(.favorites).first == "* Vík" && outline.rows(.favorites).count == 7)
    #expect(
      outline.rows(.continent(0)) == [
        "Iceland", "  Vík", "  Húsavík", "  Landmannalaugar", "  Jökulsárlón", "Dolomites", "Lofoten", "Azores",
      ])
    #expect(outline.rows(.continent(1)) == ["Hokkaidō", "Kansai", "Rajasthan", "Pamir"])
    #expect(OutlineHarness(expandsAll: true).rows(.continent(1)).count == 15)
  }

  @Test("Clicking a region toggles its destinations and rotates its indicator")
  func clickRegion() {
    let outline = OutlineHarness()
    let region = Item.region("Dolomites")
    let cell = outline.cell(of: region)
    outline.click(outline.center(of: region))
    #expect(outline.rows(.continent(0)).contains("  Seceda") && outline.view.isAnimatingUpdates)
    outline.harness.run(frames: 6)
    let angle = outline.list.disclosureAnimator.angle(of: "Dolomites", isExpanded: true)
    #expect(angle > 5 && angle < 85, "rotating: \(angle)")
    outline.harness.runUntilIdle()
    #expect(outline.list.disclosureAnimator.angle(of: "Dolomites", isExpanded: true) == 90)
    #expect(outline.cell(of: region) === cell && outline.view.indexPathsForSelectedItems.isEmpty)
    outline.click(outline.center(of: region))
    outline.harness.run(frames: 6)
    outline.click(outline.center(of: region))
    #expect(
      outline.list.disclosureAnimator.angle(of: "Dolomites", isExpanded: true) > 5, "starts from the current angle")
    outline.click(outline.center(of: region))
    outline.harness.runUntilIdle()
    #expect(!outline.rows(.continent(0)).contains("  Seceda") && outline.harness.runUntilIdle() == 0)
  }

  @Test("Clicking a header collapses its regions, or expands them if none is expanded")
  func clickHeader() {
    let outline = OutlineHarness()
    let header = outline.view.supplementaryView(
      forElementKind: OutlineLayout.headerKind, at: IndexPath(item: 0, section: 1))
    let corner = header.map { outline.view.origin(of: $0) } ?? .zero
    let point = Point(x: corner.x + 40, y: corner.y + 30)
    outline.click(point)
    outline.harness.runUntilIdle()
    #expect(outline.rows(.continent(0)) == ["Iceland", "Dolomites", "Lofoten", "Azores"])
    outline.click(point)
    outline.harness.runUntilIdle()
    #expect(outline.rows(.continent(0)).count == 17)
  }

  @Test("Arrow keys move the focus between rows, into and out of regions, and with Alt move items")
  func keys() {
    let outline = OutlineHarness()
    func focused() -> String? {
      outline.view.focusedIndexPath.flatMap { outline.list.dataSource.itemIdentifier(for: $0) }.map(outline.text(of:))
    }
    outline.pressKey(.down)
    #expect(focused() == "* Vík")
    outline.pressKey(.right)
    #expect(focused() == "* Tre Cime")
    outline.pressKey(.down)
    #expect(focused() == "Iceland")
    outline.pressKey(.right)
    #expect(focused() == "  Vík")
    outline.pressKey(.left)
    outline.pressKey(.left)
    #expect(focused() == "Iceland" && outline.rows(.continent(0)).count == 4)
    outline.pressKey(.down)
    outline.pressKey(.right)
    #expect(focused() == "Dolomites" && outline.rows(.continent(0)).count == 7)
    outline.pressKey(.up)
    outline.pressKey(.up)
    #expect(focused() == "* Vík")
    outline.pressKey(.right, .alt)
    #expect(outline.rows(.favorites).prefix(2) == ["* Tre Cime", "* Vík"] && outline.store.favorites.count == 7)
    outline.pressKey(.down)
    outline.pressKey(.down, .alt)
    outline.harness.runUntilIdle()
    #expect(
      outline.rows(.continent(0)) == [
        "Dolomites", "  Tre Cime", "  Seceda", "  Lago di Braies", "Iceland", "Lofoten", "Azores",
      ], "moves past the next region and its destinations")
    #expect(outline.store.continents[0].regions.prefix(2) == ["Dolomites", "Iceland"])
    outline.pressKey(.enter)
    outline.harness.runUntilIdle()
    #expect(outline.rows(.continent(0)).count == 11 && focused() == "Iceland")
  }

  @Test("The focused item is visible and not covered by a header")
  func focusIsVisible() {
    let outline = OutlineHarness(expandsAll: true)
    for _ in 0..<40 { outline.pressKey(.down) }
    outline.harness.runUntilIdle()
    for step in 0..<30 {
      outline.pressKey(.up, step % 3 == 0 ? .alt : [])
      outline.harness.runUntilIdle()
      let frame = outline.view.focusedIndexPath.flatMap { outline.view.frameOfItem(at: $0) }
      let top = (frame?.minY ?? -1) - outline.view.contentOffset
      #expect(top >= OutlineLayout.headerHeight && top <= 1_000 - OutlineLayout.rowHeight, "\(step)")
    }
  }

  @Test("Dragging a destination to another region updates the store and both counts")
  func dragDestination() {
    let outline = OutlineHarness()
    let seceda = outline.destination("Seceda")
    outline.click(outline.center(of: .region("Dolomites")))
    outline.harness.runUntilIdle()
    let point = outline.center(of: outline.destination("Húsavík"))
    outline.drag(outline.center(of: seceda), to: point)
    #expect(outline.store.regions["Iceland"]?.destinations.count == 4, "not stored during the drag")
    outline.release(point)
    outline.harness.runUntilIdle()
    #expect(outline.rows(.continent(0)).prefix(4).contains("  Seceda"))
    #expect(outline.store.regions["Iceland"]?.destinations.count == 5)
    #expect(outline.store.regions["Dolomites"]?.destinations.count == 2)
  }

  @Test("A region can lose its last destination and get it back")
  func emptyRegion() {
    let outline = OutlineHarness(expandsAll: true)
    let (karakul, wakhan) = (outline.destination("Karakul"), outline.destination("Wakhan"))
    for item in [karakul, wakhan] {
      guard let path = outline.list.dataSource.indexPath(for: item) else { continue }
      outline.view.scrollToItem(at: path, alignment: .center, animated: false)
      outline.harness.runUntilIdle()
      let point = outline.center(of: outline.destination("Jodhpur"))
      outline.drag(outline.center(of: item), to: point)
      outline.release(point)
      outline.harness.runUntilIdle()
    }
    #expect(outline.store.regions["Pamir"]?.destinations.isEmpty == true)
    let pamir = outline.center(of: .region("Pamir"))
    outline.drag(outline.center(of: karakul), to: Point(x: pamir.x, y: pamir.y + 40))
    outline.release(Point(x: pamir.x, y: pamir.y + 40))
    outline.harness.runUntilIdle()
    #expect(outline.store.regions["Pamir"]?.destinations.count == 1)
  }

  @Test("A region is dragged without its destinations, which reappear below it after the drop")
  func dragRegion() {
    let outline = OutlineHarness()
    // The four destinations of the region are hidden during the drag, so the items below move up.
    let below = outline.center(of: .region("Lofoten"))
    let point = Point(x: below.x, y: below.y - 4 * OutlineLayout.rowHeight)
    outline.drag(outline.center(of: .region("Iceland")), to: point)
    #expect(!outline.list.dataSource.displayedSnapshot().contains(outline.destination("Vík")))
    outline.release(point)
    outline.harness.runUntilIdle()
    let rows = outline.rows(.continent(0))
    #expect(rows.prefix(4) == ["Dolomites", "Lofoten", "Iceland", "  Vík"])
    #expect(outline.store.continents[0].regions.first == "Dolomites")
  }

  @Test("Equal input produces equal frames")
  func digest() {
    func run() -> String {
      let outline = OutlineHarness()
      outline.click(outline.center(of: .region("Lofoten")))
      outline.drag(outline.center(of: outline.destination("Reine")), to: Point(x: 400, y: 590))
      outline.harness.run(frames: 40)
      outline.pressKey(.escape)
      outline.harness.runUntilIdle()
      return outline.harness.loop.frameDigest.text
    }
    #expect(run() == run())
  }
}

@Suite("The outline example")
struct OutlineExampleTests {
  @Test("The example has the name of its executable")
  func name() { #expect(OutlineExample.name == "outline") }
}

// MARK: - Landscapes

@Suite("Generated landscapes")
struct LandscapeTests {
  @Test("Equal seeds produce equal pictures, and different seeds different ones")
  func equalSeeds() throws {
    let size = try #require(PixelSize(width: 48, height: 32))
    for kind in [LandscapeKind.coast, .mountains, .desert, .forest, .lake, .ice, .town] {
      let digests = [3, 3, 4].map { Landscape(kind: kind, seed: $0).bitmap(size: size)?.contentDigest }
      #expect(digests[0] == digests[1] && digests[0] != digests[2] && digests[0] != nil)
    }
  }

  @Test("The sky is above the land")
  func skyAndLand() throws {
    let size = try #require(PixelSize(width: 60, height: 40))
    let image = try #require(Landscape(kind: .forest, seed: 9).bitmap(size: size))
    func brightness(ofRow row: Int) -> Int {
      image.withPixels { bytes in
        (0..<size.width).reduce(0) { $0 + Int(bytes[(row * size.width + $1) * 4 + 1]) } / size.width
      }
    }
    #expect(brightness(ofRow: 39) + 30 < brightness(ofRow: 18))
  }
}
