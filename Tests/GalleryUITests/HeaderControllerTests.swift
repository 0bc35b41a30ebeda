import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The header bar")
@MainActor struct HeaderControllerTests {
  private func makeGallery(
    width: Double = 1_200, count: Int = 40, opener: FakeOpener? = nil, roots: [PhotoPath] = []
  ) throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.roots = roots
    feed.appendBatch(feed.photos(count), FakeFeed.end)
    let gallery = try GalleryFixture(feed, size: Size(width: width, height: 600))
    gallery.screen.opener = opener
    gallery.harness.runUntilIdle()
    return gallery
  }

  private func click(_ gallery: GalleryFixture, _ control: Control) {
    let frame = control.frameInWindow
    let point = Point(x: frame.midX, y: frame.midY)
    gallery.harness.sendEvent(.pointerMoved(point))
    gallery.harness.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
    gallery.harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
    gallery.harness.runUntilIdle()
  }

  private func press(_ gallery: GalleryFixture, _ key: Key, _ modifiers: KeyModifiers = []) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    gallery.harness.sendEvent(.keyUp(key, modifiers: modifiers))
    gallery.harness.runUntilIdle()
  }

  private func menu(_ gallery: GalleryFixture) -> MenuLayer? { gallery.screen.overlays.openView as? MenuLayer }

  @Test("The buttons, the field and the slider do not overlap in any width, and keep to the bar")
  func widths() throws {
    let gallery = try makeGallery(roots: [PhotoPath("/home/user/Pictures/Holidays")])
    for width in stride(from: 60.0, through: 2_600, by: 37) {
      gallery.harness.window.resize(to: Size(width: width, height: 600))
      gallery.harness.runUntilIdle()
      let bar = gallery.screen.header.bar
      let frames = bar.controls.map(\.frame).sorted { $0.minX < $1.minX }
      for (left, right) in zip(frames, frames.dropFirst()) where width >= 320 {
        #expect(left.maxX <= right.minX, "\(width)")
      }
      #expect(frames.last.map { $0.maxX <= width } ?? false)
    }
  }

  @Test("The layout is changed in the menu of its button, and the selection remains")
  func layoutMenu() throws {
    let gallery = try makeGallery()
    gallery.screen.grid.focusItem(at: 3)
    gallery.harness.runUntilIdle()
    let button = try #require(gallery.screen.header.bar.menuButtons.first)
    for title in ["List", "Mosaic", "Grid"] {
      click(gallery, button)
      let menu = try #require(self.menu(gallery))
      let point = try #require(menu.center(of: title))
      gallery.harness.sendEvent(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
      gallery.harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
      gallery.harness.runUntilIdle()
      #expect(self.menu(gallery) == nil)
      let rows = gallery.pictureCells.count { $0 is RowCell }
      #expect(!gallery.pictureCells.isEmpty && rows == (title == "List" ? gallery.pictureCells.count : 0), "\(title)")
      #expect(gallery.screen.grid.selection.items.count == 1 && gallery.screen.grid.selection.lead == 3)
      #expect(gallery.screen.isFullyShown)
    }
  }

  @Test("A layout keeps its size while others are shown, and the first photograph in view")
  func layoutSize() throws {
    let gallery = try makeGallery(count: 2_000)
    let slider = gallery.screen.header.bar.slider
    press(gallery, .character("+"), .control)
    #expect(slider.step == gallery.screen.zoomLevel.index && slider.step == GalleryZoom(.grid).level + 1)
    gallery.screen.zoom(toLevel: 2)
    gallery.screen.header.update()
    #expect(slider.step == 2)
    gallery.screen.grid.scroll(to: 4_000, animated: false)
    gallery.harness.runUntilIdle()
    let first = gallery.screen.gridController.firstPhotoInView
    gallery.screen.setLayout(.list)
    gallery.harness.runUntilIdle()
    let item = try #require(first)
    let cell = gallery.pictureCells.first { $0.item == item }
    #expect(cell != nil)
    #expect(slider.stepCount == GalleryZoom(.list).levelCount)
    gallery.screen.setLayout(.grid)
    gallery.harness.runUntilIdle()
    #expect(slider.step == 2)
  }

  @Test("A resting pointer shows what a button does, until it leaves or presses")
  func toolTips() throws {
    let gallery = try makeGallery()
    let frame = gallery.screen.header.bar.leadingButtons[0].frameInWindow
    gallery.harness.sendEvent(.pointerMoved(Point(x: frame.midX, y: frame.midY)))
    gallery.harness.run(milliseconds: 400)
    #expect(gallery.screen.toolTips.toolTip == nil)
    gallery.harness.run(milliseconds: 200)
    #expect(gallery.screen.toolTips.toolTip?.text == "Side bar (F9)")
    gallery.harness.sendEvent(.pointerMoved(Point(x: 600, y: 400)))
    gallery.harness.run(milliseconds: 100)
    #expect(gallery.screen.toolTips.toolTip == nil)
  }

  @Test("F6 moves the focus into the bar, Tab and arrow keys within it, and Escape back to the photographs")
  func keyboard() throws {
    let gallery = try makeGallery()
    let header = gallery.screen.header
    press(gallery, .function(6))
    let first = try #require(header.focusedControl)
    #expect(first.isFocused && gallery.harness.window.firstResponder === first)
    press(gallery, .tab)
    #expect(header.focusedControl !== first && !first.isFocused)
    press(gallery, .tab, .shift)
    press(gallery, .tab, .shift)
    #expect(header.focusedControl === header.bar.menuButtons.last, "it goes around")
    press(gallery, .enter)
    #expect(menu(gallery) != nil && !header.isFocused)
    press(gallery, .escape)
    #expect(gallery.harness.window.firstResponder === gallery.screen.grid)
  }

  @Test("Control+F begins a search, whose text is typed into the field; Escape clears and then leaves it")
  func search() throws {
    let gallery = try makeGallery()
    press(gallery, .character("f"), .control)
    let field = gallery.screen.header.bar.searchField
    #expect(field.isFocused)
    gallery.type("img_7", milliseconds: 0)
    gallery.harness.runUntilIdle()
    #expect(field.text == "img_7" && gallery.screen.nameSearch.statusText == nil)
    press(gallery, .escape)
    #expect(field.text == "" && field.isFocused)
    press(gallery, .escape)
    #expect(!field.isFocused && gallery.harness.window.firstResponder === gallery.screen.grid)
  }

  @Test("In a narrow window the field is behind a button")
  func narrowSearch() throws {
    let gallery = try makeGallery(width: 420)
    let bar = gallery.screen.header.bar
    #expect(bar.searchField.isHidden && !bar.searchButton.isHidden)
    click(gallery, bar.searchButton)
    #expect(!bar.searchField.isHidden && bar.searchButton.isHidden && bar.searchField.isFocused)
    press(gallery, .escape)
    #expect(bar.searchField.isHidden && !bar.searchButton.isHidden)
  }

  @Test("A folder of the path opens it, and Back returns")
  func path() throws {
    let opener = FakeOpener()
    let gallery = try makeGallery(opener: opener, roots: [PhotoPath("/home/user/Pictures/Holidays")])
    let bar = gallery.screen.header.bar
    #expect(bar.crumbs.map(\.button.title) == ["user", "Pictures"])
    #expect(bar.leadingButtons.last?.isEnabled == false)
    click(gallery, bar.crumbs[1].button)
    #expect(opener.openedPaths == [[Array("/home/user/Pictures".utf8)]])
    let next = FakeFeed()
    next.roots = [PhotoPath("/home/user/Pictures")]
    next.appendBatch(next.photos(3), FakeFeed.end)
    opener.result = .success(next, pathToReveal: nil)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(gallery.library.count == 3 && bar.crumbs.map(\.button.title) == ["home", "user"])
    #expect(!gallery.screen.header.isFocused && gallery.harness.window.firstResponder === gallery.screen.grid)
    let back = try #require(bar.leadingButtons.last)
    #expect(back.isEnabled)
    click(gallery, back)
    #expect(opener.openedPaths.last == [Array("/home/user/Pictures/Holidays".utf8)])
    let old = FakeFeed()
    old.roots = [PhotoPath("/home/user/Pictures/Holidays")]
    old.appendBatch(FakeFeed.end)
    opener.result = .success(old, pathToReveal: nil)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(!back.isEnabled)
  }
}
