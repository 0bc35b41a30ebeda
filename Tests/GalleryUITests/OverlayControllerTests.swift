import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
@testable import VitrineGalleryUI
import VitrineGeometry
import VitrineViews

@Suite("The overlay controller, without a window")
struct OverlayControllerTests {
  private let host = OverlayDouble()
  private let controller = OverlayController()

  init() {
    host.frame = Rect(x: 0, y: 0, width: 400, height: 300)
    controller.host = host
  }

  private func paths(_ items: IndexRuns) -> IndexPathRuns { IndexPathRuns(items, in: ItemCounts([4, 6])) }

  @Test("An overlay replaces the open one, covers the screen, and receives the focus until it closes")
  func replaces() throws {
    controller.showMenu(for: paths(IndexRuns(1..<3)), at: Point(x: 10, y: 10))
    let menu = try #require(controller.openView as? MenuLayer)
    #expect(menu.titles == ["2 selected"] && menu.frame == host.bounds)
    #expect(host.log == ["will open", "focus MenuLayer"])
    controller.showKeyboardShortcuts()
    #expect(controller.openView is KeyboardShortcutsLayer && host.subviews.count == 1)
    #expect(host.log.suffix(3) == ["restore", "will open", "focus KeyboardShortcutsLayer"])
    host.frame.size = Size(width: 200, height: 100)
    controller.layout()
    #expect(controller.openView?.frame == host.bounds)
    controller.close()
    #expect(!controller.isOpen && host.subviews.isEmpty && host.log.last == "restore")
    let count = host.log.count
    controller.close()
    #expect(host.log.count == count, "nothing was open")
  }

  @Test("The menu closes with the selection, and so does a menu that closes itself, but the list of keys stays")
  func closesMenu() throws {
    controller.showMenu(for: paths(IndexRuns(1..<3)), at: .zero)
    controller.closeMenu()
    #expect(!controller.isOpen)
    controller.showMenu(for: paths(IndexRuns(1..<3)), at: .zero)
    try #require(controller.openView as? MenuLayer).onClose()
    #expect(!controller.isOpen && host.log.filter { $0 == "restore" }.count == 2)
    controller.showKeyboardShortcuts()
    controller.closeMenu()
    #expect(controller.isOpen)
  }

  @Test("A menu closes when the window is resized")
  func resized() {
    controller.showMenu(for: paths(IndexRuns(1..<3)), at: .zero)
    controller.layout()
    #expect(controller.isOpen)
    host.frame.size.width -= 10
    controller.layout()
    #expect(!controller.isOpen && host.log.last == "restore")
  }

  @Test("The menu has an item only if it applies to one photograph, which its entries know")
  func menuItem() {
    #expect(controller.menuItemPath == nil)
    host.entryTitle = { [controller] _ in controller.menuItemPath?.description ?? "none" }
    for (items, section) in [(IndexRuns(5..<6), 1), (IndexRuns(5..<7), nil), (IndexRuns(), nil)] {
      controller.showMenu(for: paths(items), at: .zero)
      let path = section.map { IndexPath(item: 1, section: $0) }
      #expect(controller.menuItemPath == path)
      #expect((controller.openView as? MenuLayer)?.titles == [path?.description ?? "none"])
    }
  }
}

/// A screen that records the calls.
private final class OverlayDouble: View, OverlayHost {
  let theme = Theme.dark
  var log: [String] = []
  var entryTitle: (Int) -> String = { "\($0) selected" }

  func menu(of menu: GalleryCommand.Menu, selectedCount: Int) -> Menu {
    Menu(children: [MenuAction(title: entryTitle(selectedCount)) {}])
  }

  func overlayWillOpen() { log.append("will open") }
  func moveKeyboardFocus(to view: View) { log.append("focus \(type(of: view))") }
  func restoreKeyboardFocus() { log.append("restore") }
}
