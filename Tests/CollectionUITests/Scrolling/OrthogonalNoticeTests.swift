import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A delegate that wants to be is told of sections that scroll across, by their index")
struct OrthogonalNoticeTests {
  private final class Log: CollectionViewDelegate, OrthogonalScrollDelegate {
    var lines: [String] = []
    var offset = 0.0
    func collectionView(_ view: CollectionView, didScrollSection section: Int, to offset: Double) {
      self.offset = offset
      if lines.last != "\(section) scroll" { lines.append("\(section) scroll") }
    }
    func collectionView(_ view: CollectionView, didNotice notice: ScrollNotice, inSection section: Int) {
      lines.append("\(section) \(notice)")
    }
  }

  private func wall() -> (NumberWall, Log) {
    let wall = NumberWall([Array(0..<50), Array(100..<140)], layout: Shelves.layout(.continuous))
    let log = Log()
    wall.view.delegate = log
    wall.stage.runUntilIdle()
    return (wall, log)
  }

  @Test("A notch across, and a movement of the program's, begin, move and end")
  func notch() {
    let (wall, log) = wall()
    wall.stage.sendEvent(
      .wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 0, deltaY: -1, modifiers: .shift)))
    wall.stage.runUntilIdle()
    #expect(log.lines == ["0 willBeginAnimation", "0 scroll", "0 didEndAnimation"])
    #expect(log.offset == 100)
    log.lines = []
    wall.view.scrollToItem(at: IndexPath(item: 20, section: 0), at: .left, animated: false)
    wall.stage.runUntilIdle()
    #expect(log.lines == ["0 scroll"] && log.offset == 4_000)
    log.lines = []
    wall.scroll(to: 300)
    wall.stage.runUntilIdle()
    #expect(log.lines.isEmpty, "the content moved along")
  }

  @Test("Fingers drag a section, and it runs on")
  func trackpad() {
    let (wall, log) = wall()
    for _ in 0..<12 {
      wall.stage.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 3.37, deltaY: 0.01)))
      wall.stage.run(frames: 1)
    }
    wall.stage.runUntilIdle()
    #expect(
      log.lines == [
        "0 willBeginDragging", "0 scroll", "0 didEndDragging(willDecelerate: true)", "0 willBeginDecelerating",
        "0 scroll", "0 didEndDecelerating",
      ])
  }

  @Test("A section that was moved by an update is told by its new index")
  func renumbered() {
    let (wall, log) = wall()
    wall.stage.sendEvent(
      .wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: 0, deltaY: -1, modifiers: .shift)))
    wall.stage.run(frames: 3)
    log.lines = []
    // Above it, section 0 scrolls across: the layout's, not the items'.
    wall.apply { $0.deleteSections([1]) }
    wall.stage.runUntilIdle()
    #expect(log.lines == ["0 scroll", "0 didEndAnimation"])
  }
}
