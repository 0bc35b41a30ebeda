import CollectionUI
import Testing
import VitrineTestSupport

@Suite("Context menus of a collection view")
struct ContextMenuTests {
  private final class Delegate: CollectionViewDelegate {
    var isShownByDelegate = false
    var calls: [[Int]] = []
    var chosen: [String] = []
    var hasMenu = true

    func collectionView(
      _ view: CollectionView, contextMenuForItemsAt indexPaths: IndexPathRuns, point: Point
    ) -> Menu? {
      calls.append(indexPaths.map(\.item))
      guard hasMenu else { return nil }
      return Menu(children: [MenuAction(title: "Open") { self.chosen.append("Open") }])
    }

    func collectionView(
      _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
    ) -> Bool { isShownByDelegate }
  }

  @Test("The delegate's menu is shown for the selection, unless the delegate shows its own")
  func menus() {
    let grid = InteractiveGrid()
    let delegate = Delegate()
    grid.view.delegate = delegate
    grid.click("w3")
    grid.press("w3", button: .secondary)
    #expect(delegate.calls == [[3]] && grid.harness.window.isMenuShown)
    grid.key(.down)
    grid.key(.enter)
    #expect(delegate.chosen == ["Open"] && !grid.harness.window.isMenuShown)
    #expect(grid.harness.window.firstResponder === grid.view)
    grid.harness.runUntilIdle()
    grid.press("w5", button: .secondary)
    #expect(delegate.calls.last == [5] && grid.selected == ["w5"])
    grid.key(.escape)
    grid.key(.menu)
    #expect(delegate.calls.last == [5] && grid.harness.window.isMenuShown, "by the key")
    grid.key(.escape)
    delegate.isShownByDelegate = true
    grid.key(.menu)
    #expect(delegate.calls.count == 3 && !grid.harness.window.isMenuShown)
    (delegate.isShownByDelegate, delegate.hasMenu) = (false, false)
    grid.key(.menu)
    #expect(delegate.calls.count == 4 && !grid.harness.window.isMenuShown)
  }
}
