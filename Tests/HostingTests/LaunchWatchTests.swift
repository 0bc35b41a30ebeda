import FramePacing
import Testing

@testable import Hosting

@Suite("The launch is watched until the screen is full")
struct LaunchWatchTests {
  @Test("The first frame and the first full one are noted once")
  func moments() throws {
    var isFull = false
    let watch = LaunchTimer(launch: MonotonicClock.now() - .milliseconds(100), isFullyShown: { isFull })
    #expect(watch.figures.firstFrameMs == nil && watch.figures.firstFullScreenMs == nil)
    watch.frameDidEnd(FrameRecord())
    let first = try #require(watch.figures.firstFrameMs)
    #expect(first >= 100)
    #expect(watch.figures.firstFullScreenMs == nil)
    isFull = true
    watch.frameDidEnd(FrameRecord())
    let full = try #require(watch.figures.firstFullScreenMs)
    #expect(full >= first)
    isFull = false
    watch.frameDidEnd(FrameRecord())
    #expect(watch.figures.firstFrameMs == first)
    #expect(watch.figures.firstFullScreenMs == full)
  }

  @Test("A first frame that is full is both")
  func atOnce() {
    let watch = LaunchTimer(launch: MonotonicClock.now(), isFullyShown: { true })
    watch.frameDidEnd(FrameRecord())
    #expect(watch.figures.firstFrameMs != nil)
    #expect(watch.figures.firstFrameMs == watch.figures.firstFullScreenMs)
  }
}
