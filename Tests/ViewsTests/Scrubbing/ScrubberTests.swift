import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing

@testable import Views

@Suite("A scrubber names what the thumb is dragged through, and is not seen while nobody needs it")
struct ScrubberTests {
  private static let size = Size(width: 800, height: 600)
  private static let thumbColor = Color(hex: 0x123456, alpha: 200)

  /// A view of months on a stage, its time line made.
  private struct Scene {
    let stage: WindowHarness
    let view = ScrollView()
    let months: FakeTimeline

    init(count: Int = 60, size: Size = ScrubberTests.size, scale: DisplayScale = .one, reducesMotion: Bool = false) {
      months = FakeTimeline(count: count)
      view.indicator.color = ScrubberTests.thumbColor
      view.indicator.reducesMotion = reducesMotion
      view.indicator.scrubberDataSource = months
      stage = WindowHarness(root: view, size: size, scale: scale)
      view.setContentLength(Double(count) * months.length)
      stage.window.addParticipant(view)
      stage.window.firstResponder = view
      stage.runUntilIdle()
    }

    var years: [DrawnText] {
      stage.drawnTexts(
        (0..<12).map(FakeTimeline.year), in: TextStyle(size: 12, weight: .semibold, hasMonospacedDigits: true))
    }

    /// What the bubble says, the gain with it.
    var bubble: [String] {
      let names = (0..<32).map(FakeTimeline.name)
      return stage.drawnTexts(names, in: TextStyle(size: 16, weight: .semibold, hasMonospacedDigits: true)).map(\.text)
        + stage.drawnTexts(
          ["1/2 speed", "1/4 speed", "1/10 speed"],
          in: TextStyle(size: 12, weight: .medium, hasMonospacedDigits: true)
        ).map(\.text)
    }

    /// The thumbs in the last frame, by their corners.
    var thumbs: Int {
      let corners = stage.display.frames.last?.commands.count { command in
        command.kind == .texture && command.color.red == 0x12 && command.color.green == 0x34
      }
      return (corners ?? 0) / 4
    }

    func move(_ x: Double, _ y: Double) { stage.sendEvent(.pointerMoved(Point(x: x, y: y))) }

    func press(_ x: Double, _ y: Double) {
      move(x, y)
      stage.sendEvent(.pointerDown(Point(x: x, y: y), button: .primary, clicks: 1, modifiers: []))
    }

    func release(_ x: Double, _ y: Double) {
      stage.sendEvent(.pointerUp(Point(x: x, y: y), button: .primary, modifiers: []))
    }
  }

  @Test("While content moves years stand at the edge; at rest they are gone, nothing fades on, and one thumb is there")
  func scrolling() {
    let scene = Scene()
    #expect(scene.years.isEmpty && scene.thumbs == 1)
    scene.stage.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
    scene.stage.run(milliseconds: 400)
    #expect(scene.years.map(\.text) == [0, 2, 3, 4, 5].map(FakeTimeline.year), "the second begins too near")
    #expect(scene.thumbs == 1)
    for year in scene.years {
      #expect(year.frame.maxX <= 800 - Int32(ScrollIndicator.hitWidth), "beside the thumb's strip")
      #expect(year.frame.y >= 0 && year.frame.maxY <= 600)
    }
    #expect(scene.bubble.isEmpty, "nobody holds the thumb")
    scene.stage.runUntilIdle()
    #expect(scene.years.isEmpty && scene.thumbs == 1)
    #expect(scene.stage.runUntilIdle() == 0)
  }

  @Test("Texts stand apart by twice their height, and leave free what they are told to", arguments: [0.0, 48, 90])
  func apart(inset: Double) throws {
    let scene = Scene(count: 480)
    scene.view.indicator.scrubberLabelInset = inset
    scene.move(795, 300)
    scene.stage.runUntilIdle()
    let tops = scene.years.map { Double($0.frame.y) }.sorted()
    #expect(tops.count >= 6 && tops.allSatisfy { $0 >= inset })
    #expect(zip(tops, tops.dropFirst()).dropFirst().allSatisfy { $1 - $0 >= 39 }, "\(tops)")
    // The first one may have given way to what is above it, but not into the next one.
    #expect(try #require(tops.dropFirst().first) - tops[0] >= ScrubberTimeline.labelHeight)
  }

  @Test("A pointer near the edge brings the line, and keeps it as long as it is there without a frame; away, it goes")
  func near() {
    let scene = Scene()
    scene.move(400, 300)
    scene.stage.runUntilIdle()
    #expect(scene.years.isEmpty)
    scene.move(800 - ScrollIndicator.proximityWidth + 1, 300)
    scene.stage.runUntilIdle()
    #expect(!scene.years.isEmpty)
    #expect(scene.years.allSatisfy { $0.color.alpha == 255 })
    #expect(scene.stage.runUntilIdle() == 0)
    scene.move(400, 300)
    scene.stage.runUntilIdle()
    #expect(scene.years.isEmpty)
    scene.move(795, 300)
    scene.stage.runUntilIdle()
    #expect(!scene.years.isEmpty)
    scene.stage.sendEvent(.pointerLeft)
    scene.stage.runUntilIdle()
    #expect(scene.years.isEmpty)
  }

  @Test("A press on the line goes there, the bubble says where that is, and the thumb is held on")
  func jump() {
    let scene = Scene()
    scene.press(790, 300)
    scene.stage.run(frames: 1)
    let range = scene.view.scroll.range
    // The thumb's middle is at the pointer, half of the way.
    #expect((scene.view.contentOffset - range.length / 2).magnitude < 1)
    #expect(scene.bubble == [FakeTimeline.name(29)])
    #expect(scene.thumbs == 1)
    scene.move(790, 600)
    scene.stage.run(frames: 1)
    #expect(scene.view.contentOffset == range.maximum)
    scene.release(790, 600)
    scene.stage.runUntilIdle()
    #expect(scene.bubble.isEmpty)
    #expect(scene.view.contentOffset == range.maximum)
    #expect(!scene.view.scroll.isMoving(at: scene.stage.clock.now()))
  }

  @Test("A press on a year goes to its first month")
  func pressOnYear() throws {
    let scene = Scene()
    scene.move(795, 300)
    scene.stage.runUntilIdle()
    let year = try #require(scene.years.first { $0.text == FakeTimeline.year(2) })
    scene.press(Double(year.frame.x) + 4, Double(year.frame.y) + 4)
    scene.stage.run(frames: 1)
    // Behind one month of the first year and twelve of the second.
    #expect(scene.view.contentOffset == 13 * 500)
    scene.release(Double(year.frame.x) + 4, Double(year.frame.y) + 4)
    scene.stage.run(frames: 2)
    #expect(scene.view.contentOffset == 13 * 500)
  }

  @Test("A year that only passes by above content is not in the way of a press")
  func passingYear() throws {
    let scene = Scene()
    scene.move(400, 300)
    scene.stage.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
    scene.stage.run(milliseconds: 300)
    let year = try #require(scene.years.first)
    let place = Point(x: Double(year.frame.x) + 4, y: Double(year.frame.y) + 4)
    #expect(scene.view.indicator.hitTest(place - scene.view.indicator.frame.origin) == nil)
  }

  @Test("Away from the edge the thumb goes in finer steps, and the bubble says so")
  func fine() {
    let scene = Scene()
    scene.press(790, 300)
    scene.stage.run(frames: 1)
    let start = scene.view.contentOffset
    scene.move(782 - 300, 300)
    scene.stage.run(frames: 1)
    #expect(scene.view.contentOffset == start, "to the side alone nothing moves")
    #expect(scene.bubble.last == "1/10 speed")
    scene.move(782 - 300, 350)
    scene.stage.run(frames: 1)
    let fine = scene.view.contentOffset - start
    scene.move(790, 350)
    scene.stage.run(frames: 1)
    #expect(scene.view.contentOffset == start + fine, "back at the edge nothing jumps")
    #expect(scene.bubble.count == 1)
    scene.release(790, 350)
    scene.stage.runUntilIdle()
    scene.view.scroll(to: start, animated: false)
    scene.press(790, 300)
    scene.stage.run(frames: 1)
    scene.move(790, 350)
    scene.stage.run(frames: 1)
    let whole = scene.view.contentOffset - start
    #expect((fine - whole / 10).magnitude <= 1, "\(fine) of \(whole)")
  }

  @Test("With reduced motion the line is there at once and gone at once")
  func reducedMotion() {
    let scene = Scene(reducesMotion: true)
    scene.move(795, 300)
    scene.stage.run(frames: 1)
    #expect(!scene.years.isEmpty && scene.years.allSatisfy { $0.color.alpha == 255 })
    scene.move(400, 300)
    var alphas: Set<UInt8> = []
    for _ in 0..<200 {
      scene.stage.run(frames: 1)
      alphas.formUnion(scene.years.map(\.color.alpha))
    }
    #expect(alphas == [255] && scene.years.isEmpty)
  }

  @Test("The wheel over the scrubber scrolls the page")
  func wheel() {
    let scene = Scene()
    scene.move(790, 500)
    scene.stage.runUntilIdle()
    scene.stage.sendEvent(.wheel(WheelInput(location: Point(x: 790, y: 500), deltaX: 0, deltaY: -1)))
    scene.stage.runUntilIdle()
    #expect(scene.view.contentOffset == scene.view.notchDistance)
  }

  @Test("Content that grows while the thumb is held stays where it is, and the next step begins there")
  func growing() {
    let scene = Scene()
    scene.press(790, 300)
    scene.stage.run(frames: 1)
    let before = scene.view.contentOffset
    scene.months.count = 240
    scene.view.setContentLength(240 * 500)
    scene.stage.run(frames: 1)
    #expect(scene.view.contentOffset == before)
    scene.move(790, 301)
    scene.stage.run(frames: 1)
    let step = scene.view.contentOffset - before
    #expect(step > 0 && step < 1_000, "a point is some 200 points of content, not a leap to where the pointer was")
  }

  @Test(
    "Windows of hardly any size, nothing to name and nothing to scroll show no line and do not trap",
    arguments: [
      (Size(width: 1, height: 1), 60), (Size(width: 24, height: 900), 60), (Size(width: 900, height: 40), 60),
      (Size(width: 800, height: 600), 0), (Size(width: 800, height: 600), 1),
    ])
  func hardlyAny(size: Size, count: Int) {
    let scene = Scene(count: count, size: size)
    for place in [Point(x: size.width - 0.5, y: size.height / 2), Point(x: 0, y: 0)] {
      scene.press(place.x, place.y)
      scene.move(place.x - 5_000, place.y + 5_000)
      scene.stage.run(frames: 2)
      scene.release(place.x, place.y)
      scene.stage.runUntilIdle()
    }
    #expect(scene.thumbs <= 1)
    #expect(scene.view.scroll.range.contains(scene.view.contentOffset))
  }

  @Test("At another scale everything stands at the same places in points")
  func scale() {
    let scene = Scene()
    scene.move(795, 300)
    scene.stage.runUntilIdle()
    let before = scene.years
    scene.stage.resize(to: Self.size, scale: DisplayScale(pixelsPerPoint: 2))
    scene.stage.runUntilIdle()
    let after = scene.years
    #expect(after.map(\.text) == before.map(\.text) && !after.isEmpty)
    for (one, other) in zip(before, after) {
      #expect((other.frame.maxX - 2 * one.frame.maxX).magnitude <= 2)
      #expect((other.frame.y - 2 * one.frame.y).magnitude <= 2)
    }
  }

  @Test("A time line is made in the slack of frames, and asks some questions whatever the content's length")
  func slack() {
    let scene = Scene(count: 100_000)
    #expect(scene.months.questions < 10_000)
    scene.move(795, 300)
    scene.stage.runUntilIdle()
    let asked = scene.months.questions
    for step in 1...20 {
      scene.view.scroll(to: Double(step) * 1e6, animated: false)
      scene.stage.run(frames: 1)
    }
    #expect(scene.months.questions == asked, "scrolling makes nothing anew")
  }
}
