import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("A refresh control")
struct RefreshControlTests {
  private final class Fixture {
    let view = ScrollView()
    let control = RefreshControl()
    let harness: WindowHarness
    var refreshCount = 0
    private let start = Point(x: 200, y: 100)
    private var y = 0.0

    init(contentLength: Double = 1_000) {
      harness = WindowHarness(root: view)
      harness.window.addParticipant(view)
      view.setContentLength(contentLength)
      view.refreshControl = control
      control.onRefresh = { [weak self] in self?.refreshCount += 1 }
      harness.runUntilIdle()
    }

    func pan(_ phase: TouchInput.Phase, by distance: Double = 0) {
      y += distance
      harness.sendEvent(
        .pan(
          PanInput(
            phase: phase, start: start, location: start + Point(x: 0, y: y), translation: Point(x: 0, y: distance))))
      harness.run(frames: 1)
    }

    /// Pulls the content down in steps of 10 points.
    func pull(by distance: Double) {
      pan(.began, by: 10)
      for _ in 1..<Int(distance / 10) { pan(.moved, by: 10) }
    }
  }

  @Test("A pull of 44 points begins refreshing once, and the content rests below the control until it ends")
  func pull() {
    let fixture = Fixture()
    fixture.pull(by: 40)
    #expect(!fixture.control.isRefreshing && !fixture.control.isHidden && fixture.view.contentOffset < 0)
    for _ in 0..<12 { fixture.pan(.moved, by: 10) }
    #expect(fixture.control.isRefreshing && fixture.refreshCount == 1)
    #expect(fixture.view.contentOffset < -44, "the content stays under the finger")
    fixture.pan(.ended)
    fixture.harness.run(milliseconds: 2_000)
    #expect(fixture.view.contentOffset == -56 && fixture.view.contentInset == .zero)
    #expect(fixture.control.frame == Rect(x: 0, y: 0, width: 400, height: 56))
    fixture.control.endRefreshing()
    #expect(!fixture.control.isRefreshing)
    fixture.harness.runUntilIdle()
    #expect(fixture.view.contentOffset == 0 && fixture.view.contentInset == .zero && fixture.control.isHidden)
    #expect(fixture.refreshCount == 1)
  }

  @Test("A short pull returns without refreshing, and content that fits into the view can be pulled")
  func shortContent() {
    let fixture = Fixture(contentLength: 100)
    fixture.pull(by: 30)
    #expect(!fixture.control.isHidden)
    fixture.pan(.ended)
    fixture.harness.runUntilIdle()
    #expect(fixture.refreshCount == 0 && fixture.view.contentOffset == 0 && fixture.control.isHidden)
    fixture.pull(by: 200)
    fixture.pan(.ended)
    #expect(fixture.refreshCount == 1)
    fixture.view.refreshControl = nil
    fixture.harness.runUntilIdle()
    #expect(fixture.view.contentInset == .zero && fixture.view.contentOffset == 0)
    fixture.pull(by: 200)
    #expect(fixture.view.contentOffset == 0 && fixture.refreshCount == 1)
  }

  @Test("Content that fits into the view returns when refreshing ends, and rests", arguments: [0.0, 20, 300, 340])
  func endOverShortContent(length: Double) {
    let fixture = Fixture(contentLength: 1_000)
    fixture.control.beginRefreshing()
    fixture.harness.run(milliseconds: 1_000)
    #expect(fixture.view.contentOffset == -56)
    // The update made the content short.
    fixture.view.setContentLength(length)
    fixture.harness.run(milliseconds: 500)
    fixture.control.endRefreshing()
    #expect(fixture.harness.runUntilIdle() < 120)
    #expect(fixture.view.contentOffset == 0 && fixture.control.isHidden && !fixture.control.needsFrames)
  }

  @Test("The client's inset may change while the content is refreshed")
  func insetWhileRefreshing() {
    let fixture = Fixture()
    fixture.control.beginRefreshing()
    fixture.harness.run(milliseconds: 1_000)
    fixture.view.contentInset.top = 20
    fixture.harness.run(milliseconds: 1_000)
    #expect(fixture.view.contentInset.top == 20 && fixture.view.contentOffset == -76)
    fixture.control.endRefreshing()
    fixture.harness.runUntilIdle()
    #expect(fixture.view.contentInset.top == 20 && fixture.view.contentOffset == -20)
    fixture.view.scrollTuning = ScrollTuning()
    #expect(fixture.view.scrollTuning.alwaysBounces)
  }

  @Test("A trackpad pulls too")
  func trackpad() {
    let fixture = Fixture()
    for _ in 0..<60 {
      fixture.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 100), deltaX: 0, deltaY: 1.37)))
      fixture.harness.run(frames: 1)
    }
    #expect(fixture.refreshCount == 1 && fixture.control.isRefreshing)
  }

  @Test("The program begins refreshing: content at its start shows the control, other content does not move")
  func program() {
    let fixture = Fixture()
    fixture.control.beginRefreshing()
    fixture.harness.run(milliseconds: 2_000)
    #expect(fixture.view.contentOffset == -56 && fixture.refreshCount == 0)
    fixture.view.setContentOffset(300, animated: false)
    fixture.control.endRefreshing()
    fixture.harness.runUntilIdle()
    #expect(fixture.view.contentOffset == 300 && fixture.view.contentInset == .zero)
    fixture.control.beginRefreshing()
    fixture.harness.run(milliseconds: 500)
    #expect(fixture.view.contentOffset == 300 && fixture.control.isRefreshing)
  }

  @Test("The indicator turns twelve times a second, and only while it is visible")
  func indicator() throws {
    let fixture = Fixture()
    fixture.control.tintColor = .white
    fixture.control.beginRefreshing()
    fixture.harness.run(milliseconds: 2_000)
    let image = try fixture.harness.display.readPixels()
    let brightness = (0..<400).flatMap { x in (0..<56).map { y in Int(image.color(x, y).red) } }.max() ?? 0
    #expect(brightness > 200, "the brightest spoke")
    let before = fixture.harness.display.presentedFrames
    fixture.harness.run(milliseconds: 1_000)
    #expect((10...14).contains(fixture.harness.display.presentedFrames - before))
    fixture.control.endRefreshing()
    fixture.harness.runUntilIdle()
    let idle = fixture.harness.display.presentedFrames
    fixture.harness.run(milliseconds: 1_000)
    #expect(fixture.harness.display.presentedFrames == idle)
  }
}
