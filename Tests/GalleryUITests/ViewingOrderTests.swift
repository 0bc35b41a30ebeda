import FramePacing
import Geometry
import TestSupport
import Testing

@testable import GalleryUI

@Suite("Pictures on screen are wanted as they are read, and what enters first while they pass by")
struct ViewingOrderTests {
  /// Items of three columns, by their index.
  private func frame(_ index: Int) -> Rect {
    Rect(x: Double(index % 3) * 110, y: Double(index / 3) * 90, width: 100, height: 80)
  }

  private func sorted(_ order: LoadOrder) -> [Int] {
    (0..<9).sorted { order.priority(of: frame($0)) < order.priority(of: frame($1)) }
  }

  /// The order after the content stood at these offsets, a frame each.
  private func order(_ offsets: [Double]) -> [Int] {
    var order = LoadOrder()
    for offset in offsets { _ = order.updateOffset(offset, screenHeight: 500) }
    return sorted(order)
  }

  @Test("At launch, at rest, towards the beginning and after a leap: row by row from the top")
  func reading() {
    let reading = Array(0..<9)
    #expect(sorted(LoadOrder()) == reading)
    #expect(order([0]) == reading)
    #expect(order([300]) == reading)
    #expect(order([0, 40, 80, 80]) == reading)
    #expect(order([80, 40]) == reading)
    #expect(order([0, 500]) == reading)
    #expect(order([0, 9_000]) == reading)
  }

  @Test("Towards the end: the row that entered last first, from the left within a row")
  func fromTheEnd() {
    #expect(order([0, 0.25]) == [6, 7, 8, 3, 4, 5, 0, 1, 2])
    #expect(order([0, 499]) == [6, 7, 8, 3, 4, 5, 0, 1, 2])
  }

  @Test("A change is told once")
  func changes() {
    var order = LoadOrder()
    let changes = [0.0, 10, 20, 20, 20, 10, 30, 30].map { order.updateOffset($0, screenHeight: 500) }
    #expect(changes == [false, true, false, true, false, false, true, true])
  }

  @Test("No frame of a layout makes a place overflow, or a deadline come after what will be seen")
  func extremes() {
    var generator = SeededGenerator(seed: 11)
    var order = LoadOrder()
    for round in 0..<400 {
      _ = order.updateOffset(Double(round % 3), screenHeight: 10)
      let y = Double.random(in: -1e15...1e15, using: &generator)
      let x = [0, -1e9, 1e9, Double.random(in: 0...5_000, using: &generator)][round % 4]
      let place = order.priority(of: Rect(x: x, y: y, width: 1, height: 1))
      let deadline = ThumbnailDeadline.deadline(onScreenAt: place)
      #expect(deadline < ThumbnailDeadline.deadline(aheadAt: .zero, distance: 0))
    }
  }
}
