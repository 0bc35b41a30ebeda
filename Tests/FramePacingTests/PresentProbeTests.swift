import FramePacing
import TestSupport
import Testing

@Suite("The probe believes what presenting does, not what a driver says")
struct PresentProbeTests {
  static let interval = FrameDuration.milliseconds(16)

  static func probe(duration: Double, every period: Double, early: Int = 0) -> PresentProbe {
    var probe = PresentProbe(interval: interval)
    var time = 0.0
    for index in 0..<PresentProbe.sampleCount {
      let took = index < early ? 0.1 : duration
      let step = index < early ? 0.5 : period
      time += step
      probe.observePresent(
        start: FrameInstant.zero + .milliseconds(time - took), end: FrameInstant.zero + .milliseconds(time))
    }
    return probe
  }

  @Test("Calls that block until the refresh are vsync, though the first ones only fill the queue")
  func realVsync() {
    #expect(Self.probe(duration: 14, every: 16).finding == .vsync)
    #expect(Self.probe(duration: 14, every: 16.2, early: 3).finding == .vsync)
  }

  @Test("Calls that return at once are paced by our own timer, at whatever rate they come")
  func returnsAtOnce() {
    #expect(Self.probe(duration: 0.05, every: 0.1).finding == .timer)
    #expect(Self.probe(duration: 0.05, every: 16).finding == .timer)
  }

  @Test("Calls that block at another rate than the display's are no vsync")
  func wrongRate() {
    #expect(Self.probe(duration: 9, every: 10).finding == .timer)
  }

  @Test("Painting that takes about as long as a refresh waits for none", arguments: 0..<20)
  func unsteady(seed: UInt64) {
    var noise = SeededGenerator(seed: seed)
    var probe = PresentProbe(interval: Self.interval)
    var time = 0.0
    for _ in 0..<PresentProbe.sampleCount {
      let took = Double.random(in: 5...27, using: &noise)
      time += took + 0.5
      probe.observePresent(
        start: FrameInstant.zero + .milliseconds(time - took), end: FrameInstant.zero + .milliseconds(time))
    }
    #expect(probe.finding == .timer)
  }

  @Test("Eleven presents decide nothing")
  func undecided() {
    var probe = PresentProbe(interval: Self.interval)
    for index in 0..<(PresentProbe.sampleCount - 1) {
      let end = FrameInstant.zero + .milliseconds(Double(index) * 16)
      probe.observePresent(start: end - .milliseconds(15), end: end)
    }
    #expect(probe.finding == .undecided)
  }
}
