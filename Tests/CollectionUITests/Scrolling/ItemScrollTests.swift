import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Scrolling to an item arrives where it was asked to, whatever sizes become known on the way")
struct ItemScrollTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  private static func height(of number: Int) -> Double { Double(31 + number * 37 % 89) }

  private func makeList(_ count: Int = 500, estimate: Double = 50, header: Double? = nil) -> NumberGrid {
    NumberGrid(
      [Array(0..<count)], layout: TestLayouts.measuredRows(estimate: estimate, header: header),
      preferredSize: { number, _ in Size(width: 400, height: ItemScrollTests.height(of: number)) },
      headerHeight: header.map { _ in { _ in 33 } })
  }

  @Test("A self-sized item is at the top after an animated scroll", arguments: [20.0, 50, 300])
  func animatedToTop(estimate: Double) {
    let list = makeList(estimate: estimate)
    list.view.scrollToItem(at: path(100), at: .top, animated: true)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 100) == Rect(x: 0, y: 0, width: 400, height: Self.height(of: 100)))
  }

  @Test("All of an appended item is visible after an animated scroll to its bottom", arguments: [5.0, 44, 400])
  func animatedToAppendedItem(estimate: Double) {
    let list = makeList(40, estimate: estimate)
    list.view.scrollToItem(at: path(39), at: .bottom, animated: false)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 39)?.maxY == 300)
    list.apply { $0.appendItems([1_000]) }
    list.view.scrollToItem(at: path(40), at: .bottom, animated: true)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 1_000)?.maxY == 300)
  }

  @Test("An item at the top is below the pinned header of its section", arguments: [false, true])
  func pinnedHeader(isAnimated: Bool) {
    for item in [1, 60, 200] {
      let list = makeList(header: 20)
      list.view.scrollToItem(at: path(item), at: .top, animated: isAnimated)
      list.harness.runUntilIdle()
      #expect(list.frame(of: item)?.minY == 33, "item \(item)")
    }
  }

  @Test("A header that is as long as several short rows does not cover the last row of its section")
  func shortSection() {
    let list = NumberGrid(
      [Array(0..<40), Array(100..<140)], layout: TestLayouts.measuredRows(estimate: 30, header: 20),
      preferredSize: { _, _ in Size(width: 400, height: 10) }, headerHeight: { _ in 90 })
    list.view.scrollToItem(at: path(39), at: .top, animated: false)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 39)?.minY == 90)
    list.view.scrollToItem(at: path(0, 1), at: .top, animated: true)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 100)?.minY == 90)
  }

  @Test("An item at the bottom is above the pinned footer of its section", arguments: [false, true])
  func pinnedFooter(isAnimated: Bool) {
    let list = NumberGrid(
      [Array(0..<200)], layout: TestLayouts.measuredRows(estimate: 30, footer: 25),
      preferredSize: { number, _ in Size(width: 400, height: Self.height(of: number)) }, headerHeight: { _ in 0 })
    for item in [199, 120] {
      list.view.scrollToItem(at: path(item), at: .bottom, animated: isAnimated)
      list.harness.runUntilIdle()
      #expect(list.frame(of: item)?.maxY == 275, "item \(item)")
    }
  }

  @Test("The nearest edge of an item that is not visible yet is reached, whatever its size", arguments: [false, true])
  func nearestEdge(isAnimated: Bool) {
    let list = makeList(estimate: 8, header: 20)
    for item in [80, 300] {
      list.view.scrollToItem(at: path(item), at: .nearest, animated: isAnimated)
      list.harness.runUntilIdle()
      #expect(list.frame(of: item)?.maxY == 300, "below")
    }
    list.view.scrollToItem(at: path(120), at: .nearest, animated: isAnimated)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 120)?.minY == 33, "above, below the header")
    let offset = list.view.contentOffset
    list.view.scrollToItem(at: path(121), at: .nearest, animated: isAnimated)
    list.harness.runUntilIdle()
    #expect(list.view.contentOffset == offset, "visible")
  }

  // MARK: - Updates

  @Test("An animated scroll to an item that is deleted ends where it is")
  func deletedItem() {
    let list = makeList()
    list.view.scrollToItem(at: path(100), at: .top, animated: true)
    list.harness.run(frames: 5)
    let tops = list.cells.map { list.view.origin(of: $0).y }
    list.apply(animated: false) { $0.deleteItems([100]) }
    list.harness.runUntilIdle()
    #expect(list.cells.map { list.view.origin(of: $0).y } == tops && !list.view.isScrolling)
  }

  @Test("A scroll follows an item that moves to the other side, and to another section")
  func movedItem() {
    for isAnimated in [false, true] {
      let list = NumberGrid(
        [Array(0..<200), Array(1_000..<1_200)], layout: TestLayouts.measuredRows(estimate: 60),
        preferredSize: { number, _ in Size(width: 400, height: Self.height(of: number)) })
      list.view.scrollToItem(at: path(150), at: .top, animated: true)
      list.harness.run(frames: 3)
      list.apply(animated: isAnimated) { $0.moveItem(150, beforeItem: 4) }
      list.harness.runUntilIdle()
      #expect(list.frame(of: 150)?.minY == 0)
      list.view.scrollToItem(at: path(100), at: .bottom, animated: true)
      list.harness.run(frames: 3)
      let number = list.source.itemIdentifier(for: path(100)) ?? 0
      list.apply(animated: isAnimated) { $0.moveItem(number, afterItem: 1_100) }
      list.harness.runUntilIdle()
      #expect(list.frame(of: number)?.maxY == 300)
    }
  }

  @Test("The item stays if the only other item displayed moves away", arguments: [true, false])
  func otherOfTwoItems(scrolls: Bool) {
    let list = NumberGrid(
      [Array(0..<100)], layout: TestLayouts.measuredRows(estimate: 200),
      preferredSize: { _, _ in Size(width: 400, height: 200) })
    if scrolls {
      list.view.scrollToItem(at: path(2), at: .bottom, animated: false)
    } else {
      list.scroll(to: 300)
    }
    list.harness.runUntilIdle()
    #expect(list.shown == [1, 2] && list.frame(of: 2)?.minY == 100)
    list.apply(animated: false) { $0.moveItem(1, afterItem: 80) }
    list.harness.runUntilIdle()
    #expect(list.frame(of: 2)?.minY == 100)
  }

  @Test("The items that were displayed before the scroll move or are deleted before the next frame")
  func formerItemsChange() {
    for isDeleted in [false, true] {
      let list = makeList(200, estimate: 300)
      list.view.scrollToItem(at: path(100), at: .bottom, animated: false)
      let former = list.shown
      list.apply(animated: false) { snapshot in
        if isDeleted {
          snapshot.deleteItems(former)
        } else {
          for item in former { snapshot.moveItem(item, afterItem: 199) }
        }
      }
      list.harness.runUntilIdle()
      #expect(list.frame(of: 100)?.maxY == 300)
    }
  }

  @Test("Content at an item stays there when the item moves away with others around it staying")
  func movedAfterArrival() {
    let list = makeList(200)
    list.view.scrollToItem(at: path(100), at: .top, animated: false)
    list.harness.runUntilIdle()
    let top = list.frame(of: 102)?.minY
    list.apply(animated: false) { $0.moveItem(100, afterItem: 150) }
    list.harness.runUntilIdle()
    let moved = (list.frame(of: 102)?.minY ?? 0) - (top ?? 0)
    #expect(moved == 0)
  }

  @Test("The wheel, a finger, a key, the thumb and another scroll end a scroll to an item", arguments: 0..<6)
  func interruption(kind: Int) {
    for isArrived in [false, true] {
      let list = makeList(2_000)
      list.view.scrollToItem(at: path(900), at: .top, animated: true)
      if isArrived { list.harness.runUntilIdle() } else { list.harness.run(frames: 4) }
      let point = Point(x: 100, y: 150)
      switch kind {
      case 0: list.harness.sendEvent(.wheel(WheelInput(location: point, deltaX: 0, deltaY: 4)))
      case 1:
        for (phase, y) in [(TouchInput.Phase.began, 150.0), (.moved, 110), (.moved, 90), (.ended, 90)] {
          list.harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: 100, y: y))))
          list.harness.run(frames: 1)
        }
      case 2: list.harness.sendEvent(.keyDown(.space, modifiers: [], isRepeat: false))
      case 3: list.view.applyScrollEvent(.thumbDrag(to: 9_000))
      case 4: list.view.scroll(to: 9_000, animated: true)
      default: list.view.scrollToItem(at: path(40), at: .top, animated: true)
      }
      list.harness.runUntilIdle()
      list.view.applyScrollEvent(.thumbRelease)
      list.harness.runUntilIdle()
      #expect(list.frame(of: 900)?.minY != 0, "the content moved on")
      // What is measured or resized now moves nothing back to the item.
      let tops = list.cells.dropFirst().map { list.view.origin(of: $0).y }
      list.apply(animated: false) { $0.insertItems([5_000], beforeItem: 2) }
      list.harness.runUntilIdle()
      #expect(list.cells.dropFirst().map { list.view.origin(of: $0).y } == tops)
    }
  }

  @Test("With reduced motion, the item is there in the next frame")
  func reducedMotion() {
    let list = makeList(estimate: 300)
    list.view.scrollTuning.reducesMotion = true
    list.view.scrollToItem(at: path(321), at: .bottom, animated: true)
    list.harness.run(frames: 2)
    #expect(list.frame(of: 321)?.maxY == 300)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 321)?.maxY == 300)
  }

  @Test("An item at the end of the content is as near to the top as the content allows", arguments: [false, true])
  func endOfContent(isAnimated: Bool) {
    let list = makeList(estimate: 400)
    list.view.scrollToItem(at: path(498), at: .top, animated: isAnimated)
    list.harness.runUntilIdle()
    #expect(list.frame(of: 499)?.maxY == 300 && list.view.contentOffset == list.view.scroll.range.maximum)
  }

  @Test("Items appended after such an item was displayed move nothing", arguments: [false, true])
  func appendingAfterEnd(isAnimated: Bool) {
    let list = makeList(estimate: 20)
    list.view.scrollToItem(at: path(498), at: .top, animated: isAnimated)
    list.harness.runUntilIdle()
    list.apply { $0.appendItems(Array(600..<620)) }
    list.harness.runUntilIdle()
    #expect(list.frame(of: 499)?.maxY == 300)
    // In one frame, the item has all the content that there is.
    list.view.scrollToItem(at: path(518), at: .top, animated: false)
    list.apply { $0.appendItems(Array(700..<720)) }
    list.harness.runUntilIdle()
    #expect(list.frame(of: 618)?.minY == 0)
  }

  @Test(
    "Content that scrolls horizontally, in both directions", arguments: [LayoutDirection.leftToRight, .rightToLeft])
  func horizontal(direction: LayoutDirection) {
    let size = CollectionLayoutSize(width: .estimated(30), height: .fractionalHeight(1))
    let section = CollectionLayoutSection(
      group: .horizontal(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)]))
    let list = NumberGrid(
      [Array(0..<400)],
      layout: CompositionalLayout(section: section, configuration: .init(scrollDirection: .horizontal))
    ) { number, _ in Size(width: Self.height(of: number), height: 300) }
    list.view.layoutDirection = direction
    list.harness.runUntilIdle()
    for (item, isAnimated) in [(100, true), (300, false), (50, true), (51, false)] {
      list.view.scrollToItem(at: path(item), at: .left, animated: isAnimated)
      list.harness.runUntilIdle()
      #expect(list.frame(of: item)?.minX == 0, "item \(item)")
      list.view.scrollToItem(at: path(item + 1), at: .trailingEdge, animated: isAnimated)
      list.harness.runUntilIdle()
      let frame = list.frame(of: item + 1)
      #expect(direction == .leftToRight ? frame?.maxX == 400 : frame?.minX == 0, "item \(item + 1)")
    }
  }

  @Test("The End and Home keys arrive at the last and the first item", arguments: [12.0, 50, 300])
  func endsOfContent(estimate: Double) {
    let list = makeList(estimate: estimate)
    list.view.allowsFocus = true
    list.harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    list.harness.runUntilIdle()
    #expect(list.frame(of: 499)?.maxY == 300 && list.view.contentOffset == list.view.scroll.range.maximum)
    list.harness.sendEvent(.keyDown(.home, modifiers: [], isRepeat: false))
    list.harness.runUntilIdle()
    #expect(list.frame(of: 0)?.minY == 0 && list.view.contentOffset == 0)
  }

  @Test("Items appended after the content was scrolled to its end by a key move nothing", arguments: [false, true])
  func appendingAfterKeys(isEnd: Bool) {
    let list = makeList(9, estimate: 20)
    list.view.allowsFocus = true
    for _ in 0..<12 where list.frame(of: 8)?.maxY != 300 {
      list.harness.sendEvent(.keyDown(isEnd ? .end : .down, modifiers: [], isRepeat: false))
      list.harness.runUntilIdle()
    }
    #expect(list.frame(of: 8)?.maxY == 300)
    for step in 0..<3 {
      list.apply(animated: false) { $0.appendItems([100 + 2 * step, 101 + 2 * step]) }
      list.harness.runUntilIdle()
      #expect(list.frame(of: 8)?.maxY == 300, "step \(step)")
    }
  }

  @Test("The height of the view changes while the content moves to an item, and at it", arguments: [false, true])
  func heightOfView(isAnimated: Bool) {
    let list = makeList(estimate: 20)
    for item in [200, 499] {
      list.view.scrollToItem(at: path(item), at: .bottom, animated: isAnimated)
      list.harness.run(frames: 3)
      for height in [420.0, 180, 300] {
        list.harness.resize(to: Size(width: 400, height: height))
        list.harness.runUntilIdle()
        #expect(list.frame(of: item)?.maxY == height)
      }
    }
  }

  @Test("The delegate changes the insets before an update is laid out that moves the item beyond the former items")
  func insetsDuringUpdate() {
    final class Delegate: CollectionViewDelegate {
      func collectionViewWillPrepareLayout(_ view: CollectionView) {
        view.contentInset = Insets(top: 10, bottom: Double(view.itemCount))
      }
    }
    let delegate = Delegate()
    let list = makeList(60)
    list.view.delegate = delegate
    list.view.scrollToItem(at: path(50), at: .top, animated: true)
    list.harness.run(frames: 3)
    list.apply(animated: false) { $0.insertItems(Array(1_000..<1_040), beforeItem: 0) }
    list.harness.runUntilIdle()
    #expect(list.frame(of: 50)?.minY == 10)
  }
}
