import Testing
import VitrineDataStructures
import VitrineFramePacing
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("A slide show as a value")
struct SlideShowTests {
  private func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  private func makeSlideShow(
    at index: Int = 0, of count: Int, isShuffled: Bool = false, seed: UInt64 = 1
  ) -> SlideShow {
    var slideShow = SlideShow()
    slideShow.setShuffled(isShuffled)
    slideShow.start(at: index, of: count, seed: seed, at: at(0))
    return slideShow
  }

  @Test("Each picture is shown for the interval, and the first one follows the last one")
  func order() {
    var slideShow = makeSlideShow(at: 1, of: 3)
    var shown: [Int] = []
    for step in 1...4 {
      let due = Double(5 * step)
      #expect(slideShow.nextFrame == at(due))
      #expect(slideShow.advance(at: at(due - 0.01)) { _ in .ready } == nil)
      if let index = slideShow.advance(at: at(due), readiness: { _ in .ready }) { shown.append(index) }
    }
    #expect(shown == [2, 0, 1, 2])
    slideShow.interval = .long
    #expect(slideShow.nextFrame == at(30))
    slideShow.interval = .short
    #expect(slideShow.nextFrame == at(23))
    slideShow.stop()
    #expect(slideShow.nextFrame == nil && slideShow.advance(at: at(100)) { _ in .ready } == nil)
  }

  @Test("A picture that is being decoded is waited for without frames, and gets the whole interval")
  func waiting() {
    var slideShow = makeSlideShow(of: 3)
    #expect(slideShow.advance(at: at(5)) { _ in .pending } == nil && slideShow.nextFrame == nil)
    #expect(slideShow.nextIndex == 1)
    #expect(slideShow.advance(at: at(9)) { _ in .ready } == 1 && slideShow.nextFrame == at(14))
  }

  @Test("Broken pictures are skipped, many of them in steps, and a library of them keeps the current one")
  func broken() {
    var slideShow = makeSlideShow(of: 100)
    #expect(slideShow.advance(at: at(5)) { $0 < 7 ? .broken : .ready } == 7)
    var examined = 0
    for step in 1...20 {
      let index = slideShow.advance(at: at(5 + 5 * Double(step))) { _ in
        examined += 1
        return .broken
      }
      #expect(index == nil && slideShow.nextFrame == at(10 + 5 * Double(step)))
    }
    #expect(examined == 20 * SlideShow.maximumSkips)
  }

  @Test("A single picture stays, and an empty library has no next picture", arguments: [0, 1])
  func few(count: Int) {
    for isShuffled in [false, true] {
      var slideShow = makeSlideShow(of: count, isShuffled: isShuffled)
      #expect(slideShow.isRunning && slideShow.nextIndex == nil && slideShow.nextFrame == nil)
      #expect(slideShow.advance(at: at(60)) { _ in .ready } == nil)
    }
  }

  @Test("Shuffled, each round shows every picture once, none follows itself, and the seed determines the order")
  func shuffled() {
    func order(seed: UInt64, steps: Int) -> [Int] {
      var slideShow = makeSlideShow(at: 3, of: 10, isShuffled: true, seed: seed)
      return (1...steps).compactMap { slideShow.advance(at: at(5 * Double($0))) { _ in .ready } }
    }
    for seed in 0..<20 as Range<UInt64> {
      let shown = [3] + order(seed: seed, steps: 27)
      #expect(Set(shown[..<10]).count == 10 && zip(shown, shown.dropFirst()).allSatisfy { $0 != $1 })
      // Later rounds leave out the picture with which the last one ended.
      #expect(Set(shown[10..<19]).count == 9 && Set(shown[19..<28]).count == 9)
      #expect(order(seed: seed, steps: 27) == Array(shown.dropFirst()))
    }
    #expect(order(seed: 1, steps: 9) != order(seed: 2, steps: 9))
  }

  @Test("A change of the library and of the order begin again from the current picture")
  func changes() {
    var slideShow = makeSlideShow(at: 8, of: 10)
    slideShow.setPosition(8, of: 9)
    #expect(slideShow.nextIndex == 0)
    slideShow.setPosition(2, of: 9)
    #expect(slideShow.nextIndex == 3 && slideShow.nextFrame == at(5))
    slideShow.setShuffled(true)
    #expect(slideShow.nextIndex != 2)
    slideShow.setShuffled(false)
    #expect(slideShow.nextIndex == 3)
  }

  @Test("A random order of a long list takes each index once, with little memory")
  func randomOrder() {
    var random = SplitMix64(seed: 7)
    for count in [1, 2, 3, 64, 1_000] {
      var order = ShuffledOrder(count: count)
      order.remove(count / 2)
      order.remove(count + 5)
      var taken: [Int] = []
      while let index = order.takeNext(using: &random) { taken.append(index) }
      #expect((taken + [count / 2]).sorted() == Array(0..<count))
      #expect(count < 64 || taken != taken.sorted())
    }
    var long = ShuffledOrder(count: 1 << 40)
    #expect(Set((0..<100).compactMap { _ in long.takeNext(using: &random) }).count == 100)
  }

  @Test("In a cross-fade the next picture becomes opaque before the last one is gone")
  func crossFade() {
    var fade = CrossFade()
    #expect(fade.nextOpacity(at: at(9)) == 0 && fade.lastOpacity(at: at(9)) == 1)
    fade.startIfNeeded(at: at(10))
    fade.startIfNeeded(at: at(20))
    let half = at(10) + CrossFade.duration * 0.5
    #expect(fade.nextOpacity(at: half) == 0.5 && fade.lastOpacity(at: half) == 1 && !fade.isComplete(at: half))
    let end = at(10) + CrossFade.duration
    #expect(fade.nextOpacity(at: end) == 1 && fade.lastOpacity(at: end) == 0 && fade.isComplete(at: end))
  }
}
