import CVitrineAllocations
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Drawing the same shapes again", .enabled(if: allocations_are_counted(), "a sanitizer has its own allocator"))
struct DrawingAllocationTests {
  @Test("Paths, lines, text, clips, opacity and scaling allocate nothing")
  func allocatesNothing() {
    let harness = WindowHarness(root: View())
    harness.run(frames: 1)
    let context = DrawContext(list: DisplayList(capacity: 1_024), resources: harness.resources)
    let path = Path(ellipseIn: Rect(x: 3, y: 3, width: 40, height: 30))
    let gradient = Gradient(.linear(from: .zero, to: Point(x: 40, y: 0)), colors: [.white, .black])
    let style = StrokeStyle(lineWidth: 2, dash: [4, 2])
    let calls: [(name: String, draw: () -> Void)] = [
      ("fill", { context.fill(path, .white) }), ("gradient", { context.fill(path, gradient) }),
      ("stroke", { context.stroke(path, .white, style: style) }),
      ("line", { context.strokeLine(from: .zero, to: Point(x: 30, y: 40), .white) }),
      (
        "text",
        {
          context.drawText(
            "Text", in: Rect(x: 0, y: 0, width: 90, height: 20), style: TextStyle(size: 12), color: .white)
        }
      ), ("clip", { context.clipped(toRoundedRect: Rect(x: 0, y: 0, width: 40, height: 40), radius: 8) { _ in } }),
      (
        "opacity and transform",
        {
          context.withOpacity(0.5) {
            $0.fill(path, .white)
            $0.transformed(by: Transform(scaleX: 2, y: 2)) { $0.fill(path, .black) }
          }
        }
      ),
    ]
    for _ in 0..<2 { calls.forEach { $0.draw() } }
    for call in calls {
      let before = allocations_of_this_thread()
      for _ in 0..<5 { call.draw() }
      #expect(allocations_of_this_thread() == before, "\(call.name)")
    }
    #expect(context.list.count == 7 * (5 + 2 + 4))
  }
}
