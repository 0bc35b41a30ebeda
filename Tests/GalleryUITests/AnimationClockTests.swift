import Testing
import VitrineFramePacing

@testable import VitrineGalleryUI

@Suite("The times of an animation's frames")
struct AnimationClockTests {
  private func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  @Test("Frames follow each other by their durations, whenever the window draws")
  func durations() {
    var clock = AnimationClock()
    #expect(clock.isDue(at: instant(5)))
    clock.showFrame(for: .milliseconds(40), at: instant(5))
    #expect(clock.due == instant(45))
    #expect(!clock.isDue(at: instant(44)) && clock.isDue(at: instant(50)))
    // It is drawn 5 ms late, which the next one makes up for.
    clock.showFrame(for: .milliseconds(40), at: instant(50))
    #expect(clock.due == instant(85))
  }

  @Test("After a frame that is late by its own duration, the next is due a duration later, as after a hidden window")
  func late() {
    var clock = AnimationClock()
    clock.showFrame(for: .milliseconds(40), at: instant(0))
    clock.showFrame(for: .milliseconds(40), at: instant(5000))
    #expect(clock.due == instant(5040))
  }

  @Test("Durations that are too short to be meant are a tenth of a second")
  func shortDurations() {
    for milliseconds in [0.0, 1, 10] {
      var clock = AnimationClock()
      clock.showFrame(for: .milliseconds(milliseconds), at: instant(0))
      #expect(clock.due == instant(100))
    }
    var clock = AnimationClock()
    clock.showFrame(for: .milliseconds(11), at: instant(0))
    #expect(clock.due == instant(11))
  }
}

@Suite("A series of steps, as by a held key")
struct StepSeriesTests {
  @Test("It begins with the second step, and ends when none follows")
  func series() {
    func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }
    var series = StepSeries()
    #expect(!series.isRunning(at: instant(0)))
    series.recordStep(1, at: instant(0))
    #expect(!series.isRunning(at: instant(10)))
    series.recordStep(1, at: instant(33))
    #expect(series.isRunning(at: instant(283)) && !series.isRunning(at: instant(284)))
    series.recordStep(1, at: instant(1000))
    #expect(!series.isRunning(at: instant(1001)))
    series.recordStep(-1, at: instant(1030))
    #expect(!series.isRunning(at: instant(1031)) && series.direction == -1, "a step back begins another one")
  }
}
