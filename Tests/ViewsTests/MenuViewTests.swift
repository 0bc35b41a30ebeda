import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineViews

@Suite("A menu is operated by pointer and keys, and stays within the window")
struct MenuViewTests {
  private final class Fixture {
    let view: MenuView
    let harness: WindowHarness
    var chosenTitles: [String] = []
    var closeCount = 0

    init(at location: Point, size: Size = Size(width: 400, height: 300), scale: DisplayScale = .one) {
      let root = View()
      harness = WindowHarness(root: root, size: size, scale: scale)
      weak var fixture: Fixture?
      func action(_ title: String, isEnabled: Bool = true) -> MenuAction {
        MenuAction(title: title, attributes: isEnabled ? [] : .disabled, shortcut: "Ctrl+X") {
          fixture?.chosenTitles.append(title)
        }
      }
      let group = Menu(options: .displayInline, children: [action("two", isEnabled: false), action("three")])
      view = MenuView(Menu(children: [action("one"), group]), at: location, colors: MenuColors(.dark))
      fixture = self
      view.onClose = { fixture?.closeCount += 1 }
      root.addSubview(view)
      view.frame = Rect(origin: .zero, size: size)
      harness.window.firstResponder = view
      harness.run(frames: 1)
    }

    func pressKey(_ key: Key) {
      harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false)); harness.run(frames: 1)
    }
  }

  @Test("Arrow keys cycle through the enabled items, and Enter performs the highlighted one")
  func keys() {
    let fixture = Fixture(at: Point(x: 10, y: 10))
    let steps: [(Key, String?)] = [
      (.down, "one"), (.down, "three"), (.down, "one"), (.up, "three"), (.home, "one"), (.end, "three"),
    ]
    for (key, current) in steps {
      fixture.pressKey(key)
      #expect(fixture.view.highlightedTitle == current)
    }
    fixture.pressKey(.enter)
    #expect(fixture.chosenTitles == ["three"] && fixture.closeCount == 1)
    fixture.pressKey(.escape)
    #expect(fixture.closeCount == 2 && fixture.chosenTitles.count == 1)
  }

  @Test("The pointer highlights and performs items, a press outside closes the menu, and disabled items have no effect")
  func pointer() throws {
    let fixture = Fixture(at: Point(x: 10, y: 10))
    let (thirdCenter, secondCenter) = (
      try #require(fixture.view.center(of: "three")), try #require(fixture.view.center(of: "two"))
    )
    fixture.harness.sendEvent(.pointerMoved(thirdCenter))
    fixture.harness.run(frames: 1)
    #expect(fixture.view.highlightedTitle == "three")
    for location in [secondCenter, thirdCenter] {
      fixture.harness.sendEvent(.pointerDown(location, button: .primary, clicks: 1, modifiers: []))
      fixture.harness.sendEvent(.pointerUp(location, button: .primary, modifiers: []))
      fixture.harness.run(frames: 1)
    }
    #expect(fixture.chosenTitles == ["three"] && fixture.closeCount == 1)
    fixture.harness.sendEvent(.pointerDown(Point(x: 390, y: 290), button: .secondary, clicks: 1, modifiers: []))
    fixture.harness.run(frames: 1)
    #expect(fixture.closeCount == 2 && fixture.chosenTitles.count == 1)
  }

  @Test(
    "The menu is within the window, for any location and window size",
    arguments: [
      (Point(x: 10, y: 10), Size(width: 400, height: 300)), (Point(x: 399, y: 299), Size(width: 400, height: 300)),
      (Point(x: 50, y: 60), Size(width: 120, height: 90)), (Point(x: -40, y: 900), Size(width: 400, height: 300)),
      (Point(x: 0, y: 0), Size(width: 1, height: 1)),
    ])
  func within(location: Point, size: Size) {
    for scale in [1.0, 1.5, 2] {
      let frame = Fixture(at: location, size: size, scale: DisplayScale(pixelsPerPoint: scale)).view.panelFrame
      #expect(frame.minX >= 0 && frame.minY >= 0)
      if size.height >= 90 { #expect(frame.maxX <= size.width + 0.5 && frame.maxY <= size.height + 0.5) }
    }
  }

  @Test(
    "In a low window, the menu scrolls to the highlighted item, by keys and by the wheel",
    arguments: [60.0, 90, 110])
  func low(height: Double) throws {
    let fixture = Fixture(at: Point(x: 10, y: 10), size: Size(width: 300, height: height))
    func center() throws -> Point { try #require(fixture.view.highlightedTitle.flatMap(fixture.view.center)) }
    for key: Key in [.down, .down, .up, .end, .home, .end] {
      fixture.pressKey(key)
      let (point, panel) = (try center(), fixture.view.panelFrame)
      #expect(point.y >= panel.minY + 9 && point.y <= panel.maxY - 9 && panel.maxY <= height)
      fixture.harness.sendEvent(.pointerMoved(point))
      fixture.harness.run(frames: 1)
      #expect(
        fixture.view.center(of: fixture.view.highlightedTitle ?? "") == point,
        "the item at the pointer is highlighted")
    }
    let location = Point(x: 40, y: fixture.view.panelFrame.midY)
    for deltaY in [9.0, -9] {
      fixture.harness.sendEvent(.wheel(WheelInput(location: location, deltaX: 0, deltaY: deltaY)))
      fixture.harness.run(frames: 1)
      let end = try #require(fixture.view.center(of: deltaY > 0 ? "one" : "three"))
      #expect(end.y > fixture.view.panelFrame.minY && end.y < fixture.view.panelFrame.maxY)
    }
  }

  @Test("The menu does not handle the window's own keys, and handles all others")
  func windowKeys() {
    let fixture = Fixture(at: .zero)
    func isHandled(_ key: Key, _ modifiers: KeyModifiers = []) -> Bool {
      fixture.view.handle(InputEvent(time: .zero, kind: .keyDown(key, modifiers: modifiers, isRepeat: false)))
    }
    #expect(!isHandled(.function(11)) && !isHandled(.character("q"), .control))
    #expect(isHandled(.character("x")) && isHandled(.pageDown) && isHandled(.space))
  }
}

@Suite("View.showMenu")
struct MenuPresentationTests {
  /// A view that shows a menu on a secondary press and records the events that it receives.
  private final class Root: View {
    var makeMenu: () -> Menu = { Menu() }
    var palette = InterfacePalette.dark
    var received = 0
    var closeCount = 0

    override func handle(_ event: InputEvent) -> Bool {
      received += 1
      guard case .pointerDown(let point, .secondary, _, _) = event.kind else { return false }
      return showMenu(makeMenu(), at: convertFromWindow(point), palette: palette) { [weak self] in
        self?.closeCount += 1
      }
    }
  }

  private final class Fixture {
    let root = Root()
    let harness: WindowHarness
    var chosen: [String] = []

    init() {
      harness = WindowHarness(root: root)
      root.makeMenu = { [weak self] in
        @MainActor
        func action(_ title: String, _ attributes: MenuAction.Attributes = []) -> MenuAction {
          MenuAction(title: title, attributes: attributes) { self?.chosen.append(title) }
        }
        return Menu(children: [
          action("Open"), action("Rename", .disabled),
          Menu(title: "Sort by", children: [action("Name"), action("Date"), action("Number")]),
          action("Secret", .hidden), Menu(title: "Empty"),
          Menu(options: .displayInline, children: [action("Delete", .destructive)]),
        ])
      }
      harness.window.firstResponder = root
      harness.run(frames: 1)
    }

    var menu: MenuView? { harness.window.presentedMenu }

    func press(_ point: Point, _ button: PointerButton = .secondary) {
      harness.sendEvent(.pointerDown(point, button: button, clicks: 1, modifiers: []))
      harness.run(frames: 2)
    }
    func release(_ point: Point, _ button: PointerButton = .secondary) {
      harness.sendEvent(.pointerUp(point, button: button, modifiers: []))
      harness.run(frames: 1)
    }
    func move(_ point: Point) {
      harness.sendEvent(.pointerMoved(point))
      harness.run(frames: 1)
    }
    func key(_ key: Key) {
      harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      harness.run(frames: 1)
    }
    /// Opens the menu at a point by a click.
    func open(at point: Point = Point(x: 20, y: 20)) {
      press(point)
      release(point)
    }
  }

  @Test("Groups become separators, and hidden actions and empty submenus are left out")
  func entries() {
    let entries = Fixture().root.makeMenu().entries
    #expect(entries.map(\.title) == ["Open", "Rename", "Sort by", "Delete"])
    #expect(entries.map(\.beginsGroup) == [false, false, false, true])
    let groups = ["a", "b"].map { Menu(options: .displayInline, children: [MenuAction(title: $0) {}]) }
    #expect(Menu(children: groups + [MenuAction(title: "c") {}]).entries.map(\.beginsGroup) == [false, true, true])
    #expect(!View().showMenu(Menu(), at: .zero), "a view in no window shows no menu")
    #expect(!Fixture().root.showMenu(Menu(children: [Menu(title: "Empty")]), at: .zero), "no entries")
  }

  @Test("A drag from the press to an entry chooses it when the button is released, and the focus returns")
  func dragging() throws {
    let fixture = Fixture()
    fixture.press(Point(x: 20, y: 20))
    let menu = try #require(fixture.menu)
    #expect(fixture.harness.window.firstResponder === menu && fixture.harness.window.isMenuShown)
    let target = try #require(menu.center(of: "Delete"))
    fixture.move(target)
    #expect(menu.highlightedTitle == "Delete")
    fixture.release(target)
    #expect(fixture.chosen == ["Delete"] && fixture.menu == nil && fixture.root.closeCount == 1)
    #expect(fixture.harness.window.firstResponder === fixture.root)
    fixture.harness.runUntilIdle()
    #expect(fixture.root.subviews.isEmpty, "the menu has faded out")
    let before = fixture.root.received
    fixture.move(Point(x: 30, y: 30))
    #expect(fixture.root.received > before, "the pointer is the view's again")
  }

  @Test("A click that trembles leaves the menu open; a drag into it and out again closes it")
  func releases() throws {
    let fixture = Fixture()
    fixture.press(Point(x: 20, y: 20))
    fixture.move(Point(x: 24, y: 27))
    fixture.release(Point(x: 24, y: 27))
    #expect(fixture.menu != nil && fixture.chosen.isEmpty)
    fixture.key(.escape)
    #expect(fixture.menu == nil)
    fixture.press(Point(x: 200, y: 20))
    fixture.move(Point(x: 380, y: 250))
    fixture.release(Point(x: 380, y: 250))
    #expect(fixture.menu != nil, "the pointer was never in the menu")
    fixture.key(.escape)
    fixture.press(Point(x: 20, y: 20))
    fixture.move(try #require(fixture.menu?.center(of: "Open")))
    fixture.move(Point(x: 380, y: 250))
    fixture.release(Point(x: 380, y: 250))
    #expect(fixture.menu == nil && fixture.chosen.isEmpty)
  }

  @Test("A menu that is shown when another one closes gives way to the next one")
  func menuOnClose() {
    let fixture = Fixture()
    let (root, window) = (fixture.root, fixture.harness.window)
    let menu = root.makeMenu()
    root.showMenu(menu, at: Point(x: 20, y: 20)) { [unowned root] in root.showMenu(menu, at: Point(x: 40, y: 40)) }
    fixture.harness.run(frames: 2)
    root.showMenu(menu, at: Point(x: 60, y: 60))
    fixture.harness.run(frames: 2)
    fixture.key(.escape)
    fixture.harness.runUntilIdle()
    #expect(!window.isMenuShown && root.subviews.isEmpty && window.firstResponder === root)
    let before = root.received
    fixture.press(Point(x: 390, y: 290), .primary)
    #expect(root.received == before + 1)
  }

  @Test("A click outside, deactivation, resizing and another menu close it, and the click has no other effect")
  func closing() {
    let fixture = Fixture()
    fixture.open()
    let before = fixture.root.received
    fixture.press(Point(x: 390, y: 290), .primary)
    #expect(fixture.menu == nil && fixture.root.received == before)
    fixture.release(Point(x: 390, y: 290), .primary)
    for event in [InputEvent.Kind.cancelled, .hidden] {
      fixture.open()
      fixture.harness.sendEvent(event)
      fixture.harness.run(frames: 1)
      #expect(fixture.menu == nil)
      fixture.harness.sendEvent(.shown)
    }
    fixture.open()
    fixture.harness.resize(to: Size(width: 500, height: 300))
    fixture.harness.run(frames: 1)
    #expect(fixture.menu == nil)
    fixture.open()
    let first = fixture.menu
    fixture.root.showMenu(fixture.root.makeMenu(), at: Point(x: 100, y: 100))
    #expect(fixture.menu != nil && fixture.menu !== first && fixture.root.closeCount == 5)
    fixture.harness.window.dismissMenu()
    fixture.harness.runUntilIdle()
    #expect(fixture.harness.window.firstResponder === fixture.root && fixture.root.subviews.isEmpty)
  }

  @Test("Submenus open by Right, Return and click, and after the pointer has rested; Left and Escape close them")
  func submenus() throws {
    let fixture = Fixture()
    fixture.open()
    let menu = try #require(fixture.menu)
    fixture.key(.up)
    fixture.key(.up)
    #expect(menu.highlightedTitle == "Sort by")
    fixture.key(.right)
    #expect(menu.titles == ["Name", "Date", "Number"] && menu.highlightedTitle == "Name")
    fixture.key(.left)
    #expect(menu.titles.first == "Open" && menu.highlightedTitle == "Sort by")
    fixture.key(.enter)
    #expect(menu.highlightedTitle == "Name")
    fixture.key(.escape)
    #expect(menu.titles.first == "Open" && fixture.menu === menu)
    let row = try #require(menu.center(of: "Sort by"))
    fixture.move(row)
    #expect(menu.titles.count == 4)
    fixture.harness.run(milliseconds: 200)
    #expect(menu.titles == ["Name", "Date", "Number"])
    let panels = menu.panels
    #expect(panels[1].frame.minX == panels[0].frame.maxX - 3 && panels[1].frame.minY == row.y - 14 - 6)
    // On the way, another entry of the outer menu does not close it at once.
    fixture.move(try #require(menu.center(of: "Delete")))
    fixture.move(try #require(menu.center(of: "Date")))
    fixture.harness.run(milliseconds: 400)
    #expect(menu.titles.count == 3 && menu.highlightedTitle == "Date")
    fixture.press(try #require(menu.center(of: "Date")), .primary)
    fixture.release(try #require(menu.center(of: "Date")), .primary)
    #expect(fixture.chosen == ["Date"] && fixture.menu == nil)
  }

  @Test("A long press of a finger opens the menu, its end chooses nothing, and a tap chooses")
  func touches() throws {
    let fixture = Fixture()
    func touch(_ phase: TouchInput.Phase, _ location: Point) {
      fixture.harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: location)))
      fixture.harness.run(frames: 2)
    }
    touch(.began, Point(x: 20, y: 20))
    fixture.harness.run(milliseconds: 800)
    touch(.ended, Point(x: 20, y: 20))
    let menu = try #require(fixture.menu)
    #expect(fixture.chosen.isEmpty)
    let target = try #require(menu.center(of: "Delete"))
    touch(.began, target)
    touch(.ended, target)
    fixture.harness.run(milliseconds: 500)
    #expect(fixture.chosen == ["Delete"] && fixture.menu == nil)
  }

  @Test("A submenu without space at the right opens at the left, within the window")
  func submenuAtEdge() throws {
    let fixture = Fixture()
    fixture.open(at: Point(x: 399, y: 299))
    let menu = try #require(fixture.menu)
    fixture.press(try #require(menu.center(of: "Sort by")), .primary)
    let frames = menu.panels.map(\.frame)
    #expect(frames.count == 2 && frames[1].maxX == frames[0].minX + 3 && frames[1].maxY <= 296)
  }

  @Test("A letter highlights the next entry that begins with it")
  func letters() throws {
    let fixture = Fixture()
    fixture.open()
    let menu = try #require(fixture.menu)
    fixture.harness.sendEvent(.text("s"))
    fixture.harness.run(frames: 1)
    #expect(menu.highlightedTitle == "Sort by")
    fixture.key(.right)
    for title in ["Number", "Name", "Number"] {
      fixture.harness.sendEvent(.text("N"))
      fixture.harness.run(frames: 1)
      #expect(menu.highlightedTitle == title)
    }
    fixture.harness.sendEvent(.text("x"))
    fixture.harness.run(frames: 1)
    #expect(menu.highlightedTitle == "Number")
  }

  @Test("Accessibility names the entries, their shortcuts, submenus and what is unavailable")
  func accessibility() throws {
    let fixture = Fixture()
    fixture.open()
    fixture.key(.down)
    let element = try #require(fixture.harness.window.accessibility.elements(.menu).first)
    #expect(
      element.outline == """
        menu, 4 items
          Open, menu item, item 1 of 4, focused
          Rename, menu item, item 2 of 4, unavailable
          Sort by, submenu, menu item, item 3 of 4
          Delete, menu item, item 4 of 4
        """)
    #expect(fixture.harness.window.accessibility.focused?.label == "Open")
  }

  @Test("The panel has the palette's colors, and fades in over 110 ms", arguments: [true, false])
  func pixels(isDark: Bool) throws {
    let fixture = Fixture()
    let palette = isDark ? InterfacePalette.dark : .light
    fixture.root.palette = palette
    fixture.root.backgroundColor = Color(hex: 0x00FF00)
    fixture.harness.sendEvent(.pointerDown(Point(x: 20, y: 20), button: .secondary, clicks: 1, modifiers: []))
    fixture.harness.run(frames: 3)
    let corner = try #require(fixture.menu).panelFrame.origin
    func color(_ x: Double, _ y: Double) throws -> Color {
      try fixture.harness.display.readPixels().color(Int(corner.x + x), Int(corner.y + y))
    }
    let early = try color(8, 15)
    #expect(early.red > 0 && early.red < palette.secondaryBackground.red, "translucent")
    fixture.harness.runUntilIdle()
    #expect(try color(8, 15) == palette.secondaryBackground)
    #expect(try color(20, 0) == palette.separator)
    fixture.key(.down)
    #expect(try color(10, 20) == palette.selection)
    // The separator above the last group.
    #expect(try color(20, 6 + 3 * 28 + 5) == palette.separator)
  }
}
