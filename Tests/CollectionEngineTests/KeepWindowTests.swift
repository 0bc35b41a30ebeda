import CollectionEngine
import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("Cells wait ahead more than behind, and where a flick will land")
struct KeepWindowTests {
  static let range = ScrollRange(minimum: 0, maximum: 100_000, viewportLength: 800)

  static func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  static func resting(at offset: Double) -> ScrollState { ScrollState(range: range, offset: offset) }

  static func move(_ window: inout KeepWindow, _ scroll: ScrollState, _ shown: FrameInstant) -> Bool {
    window.handle(scroll, shown: shown)
  }

  @Test("At rest a screen ahead and half a one behind may wait, in the direction in which scrolling went last")
  func rest() {
    var window = KeepWindow()
    #expect(!Self.move(&window, Self.resting(at: 5_000), Self.at(0)))
    #expect(window.isForward && window.limits == KeepLimits(near: 4_600...6_600))
    #expect(!Self.move(&window, Self.resting(at: 4_999), Self.at(0.016)))
    #expect(window.limits.aroundViewport == 4_599...6_599)
    #expect(Self.move(&window, Self.resting(at: 4_998), Self.at(0.032)))
    #expect(!window.isForward && window.limits.aroundViewport == 4_198...6_198)
  }

  @Test("After a turn the side that was ahead keeps what is behind may keep: the candidates beyond are let go")
  func turn() {
    var window = KeepWindow()
    var waiting = WaitingCells<Int>()
    window.handle(Self.resting(at: 8_000), shown: Self.at(0))
    // Rows of 100 points.
    for index in 76...95 { waiting.insert(index, at: index) }
    func drop() -> [Int] {
      let limits = window.limits
      return waiting.removeCells { limits.contains(start: Double($0) * 100, end: Double($0 + 1) * 100) }.map(\.index)
    }
    #expect(drop().isEmpty)
    #expect(Self.move(&window, Self.resting(at: 7_990), Self.at(0.016)))
    #expect(drop() == [92, 93, 94, 95])
  }

  @Test("An adjustment of every position is no turn")
  func adjustment() {
    var window = KeepWindow()
    window.handle(Self.resting(at: 5_000), shown: Self.at(0))
    window.shiftContent(by: -900)
    window.shiftContent(by: .nan)
    #expect(!Self.move(&window, Self.resting(at: 4_100), Self.at(0.016)))
    #expect(window.isForward && window.typicalStep == 0)
  }

  @Test("A flick keeps the region where it will land, until it has come to rest there")
  func landing() {
    var window = KeepWindow()
    var scroll = Self.resting(at: 5_000)
    scroll.handle(.flick(velocity: 20_000, accumulating: false), at: Self.at(0))
    window.handle(scroll, shown: Self.at(0.016))
    let landing = scroll.projectedOffset
    #expect(landing > 14_000)
    #expect(window.limits.landing == (landing - 400)...(landing + 1_600))
    #expect(window.limits.contains(start: landing + 790, end: landing + 810))
    #expect(!window.limits.contains(start: 9_000, end: 9_100))
    window.handle(scroll, shown: Self.at(30))
    #expect(window.limits.landing == nil && window.limits.aroundViewport == (landing - 400)...(landing + 1_600))
  }

  @Test("A steady motion lands nowhere soon; one that is about to end does, and so does a key's")
  func approach() {
    var window = KeepWindow()
    var scroll = Self.resting(at: 5_000)
    scroll.handle(.steady(velocity: 1_000), at: Self.at(0))
    window.handle(scroll, shown: Self.at(1))
    #expect(window.limits.landing == nil)
    window.handle(scroll, shown: Self.at(94.5))
    #expect(window.limits.landing == 99_600...101_600)
    var paged = Self.resting(at: 5_000)
    paged.handle(.page(by: 1), at: Self.at(0))
    window = KeepWindow()
    window.handle(paged, shown: Self.at(0.016))
    let target = paged.projectedOffset
    #expect((target - 5_720).magnitude < 0.001)
    #expect(window.limits.landing == (target - 400)...(target + 1_600))
  }

  @Test("Speed stretches what is ahead by the time that preparing takes, to two and a half screens")
  func stretch() {
    var window = KeepWindow()
    var scroll = Self.resting(at: 5_000)
    scroll.handle(.steady(velocity: 6_000), at: Self.at(0))
    window.handle(scroll, shown: Self.at(1), lead: .milliseconds(200))
    #expect(window.limits.aroundViewport == 10_600...(11_800 + 1_200))
    window.handle(scroll, shown: Self.at(2), lead: .seconds(5))
    #expect(window.limits.aroundViewport == 16_600...(17_800 + 2_000))
    window.extent = .lowMemory
    window.handle(scroll, shown: Self.at(2), lead: .seconds(5))
    #expect(window.limits.aroundViewport == 16_800...18_000)
    window.extent = .none
    window.handle(scroll, shown: Self.at(2))
    #expect(window.limits.aroundViewport == 17_000...17_800)
    #expect(KeepExtent(ahead: .nan, behind: -1, farthestAhead: .infinity).ahead == 0)
  }

  @Test("What a hand did is the middle of its last five steps, and forgotten once it holds still")
  func hand() {
    var window = KeepWindow()
    var offset = 5_000.0
    var frame = 0
    func move(_ steps: Double...) {
      for step in steps {
        offset += step
        frame += 1
        window.handle(Self.resting(at: offset), shown: Self.at(Double(frame) / 60))
      }
    }
    move(0, 10, 12, 90)
    #expect(window.typicalStep == 12)
    move(11, 13, 14)
    #expect(window.typicalStep == 13)
    move(0, 0)
    #expect(window.typicalStep == 13)
    move(0)
    #expect(window.typicalStep == 0)
  }

  @Test("Numbers of items may stand for points")
  func indices() {
    var window = KeepWindow()
    #expect(window.indices(around: 20..<31, of: 100) == 14..<42)
    #expect(window.indices(around: 0..<11, of: 15) == 0..<15)
    #expect(window.indices(around: 4..<4, of: 15).isEmpty)
    window.handle(Self.resting(at: 500), shown: Self.at(0))
    window.handle(Self.resting(at: 400), shown: Self.at(0.016))
    #expect(window.indices(around: 20..<31, of: 100) == 9..<37)
  }

  @Test("Whatever is scrolled, what is on screen is inside the limits, and they are bounded", arguments: 0..<8)
  func laws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var window = KeepWindow()
    var scroll = Self.resting(at: 30_000)
    var now = Self.at(0)
    for _ in 0..<600 {
      now = now + FrameDuration(nanoseconds: 16_666_667)
      if generator.chance(oneIn: 8) {
        let number = Double.random(in: -60_000...60_000, using: &generator)
        let events: [ScrollEvent] = [
          .flick(velocity: number, accumulating: true), .steady(velocity: number), .jump(to: number), .page(by: 1),
          .wheel(distance: number / 600, kind: .continuous), .scrollTo(number, animated: true), .stop,
          .thumbDrag(to: number), .thumbRelease, .flick(velocity: .nan, accumulating: false), .jump(to: .infinity),
        ]
        if let event = events.randomElement(using: &generator) { scroll.handle(event, at: now) }
      }
      let wasForward = window.isForward
      let hasTurned = window.handle(scroll, shown: now, lead: .milliseconds(150))
      #expect(hasTurned == (window.isForward != wasForward))
      let offset = scroll.offset(at: now)
      let near = window.limits.aroundViewport
      #expect(near.lowerBound <= offset && near.upperBound >= offset + 800)
      let ahead = window.isForward ? near.upperBound - offset - 800 : offset - near.lowerBound
      let behind = near.upperBound - near.lowerBound - 800 - ahead
      #expect(ahead >= 799.999 && ahead <= 2_000.001 && (behind - 400).magnitude < 0.001)
      if let landing = window.limits.landing {
        #expect(scroll.isMoving(at: now))
        #expect(landing.contains(scroll.projectedOffset) && landing.contains(scroll.projectedOffset + 800))
        #expect(((landing.upperBound - landing.lowerBound) - 2_000).magnitude < 0.001)
      }
    }
  }
}
