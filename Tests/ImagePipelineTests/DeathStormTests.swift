import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("A storm of deaths")
struct DeathStormTests {
  private func second(_ number: Double) -> FrameInstant { .zero + .seconds(number) }

  /// Deaths at equal distances; the moment at which decoding stopped.
  private func stop(
    of storm: inout DecodingCircuitBreaker, _ cause: DecodingCircuitBreaker.Cause, from start: Double,
    every seconds: Double, count: Int
  ) -> Double? {
    for number in 0..<count {
      let instant = start + Double(number) * seconds
      storm.recordDeath(cause, at: second(instant))
      if storm.isStopped(at: second(instant)) { return instant }
    }
    return nil
  }

  @Test("twenty deaths in a minute stop decoding, nineteen do not")
  func twenty() {
    var storm = DecodingCircuitBreaker()
    #expect(!storm.isStopped(at: second(0)))
    #expect(stop(of: &storm, .internalFailure, from: 0, every: 2, count: 40) == 38)
    storm = DecodingCircuitBreaker()
    #expect(stop(of: &storm, .internalFailure, from: 0, every: 60.0 / 19, count: 500) == nil)
  }

  @Test("decoding begins again after a pause of thirty seconds")
  func pause() {
    var storm = DecodingCircuitBreaker()
    for _ in 0..<20 { storm.recordDeath(.internalFailure, at: second(100)) }
    #expect(storm.isStopped(at: second(129.9)))
    #expect(!storm.isStopped(at: second(130)))
  }

  @Test("on probation two deaths stop it again, for twice as long, up to sixteen minutes")
  func probation() {
    var storm = DecodingCircuitBreaker()
    for _ in 0..<20 { storm.recordDeath(.internalFailure, at: second(0)) }
    var start = 30.0
    for pause in [60.0, 120, 240, 480, 960, 960, 960] {
      storm.recordDeath(.internalFailure, at: second(start))
      #expect(!storm.isStopped(at: second(start)))
      storm.recordDeath(.internalFailure, at: second(start + 59))
      #expect(storm.isStopped(at: second(start + 59 + pause - 0.001)))
      start += 59 + pause
      #expect(!storm.isStopped(at: second(start)))
    }
  }

  @Test("a quiet minute after the pause, and all is forgotten")
  func forgotten() {
    var storm = DecodingCircuitBreaker()
    for _ in 0..<20 { storm.recordDeath(.internalFailure, at: second(0)) }
    storm.recordDeath(.internalFailure, at: second(40))
    #expect(stop(of: &storm, .internalFailure, from: 90, every: 0.1, count: 18) == nil)
    storm.recordDeath(.internalFailure, at: second(95))
    #expect(storm.isStopped(at: second(95)))
    // As long as the first time.
    #expect(!storm.isStopped(at: second(125)))
  }

  @Test("the user may begin again sooner, on probation too")
  func resumed() {
    var storm = DecodingCircuitBreaker()
    storm.resume(at: second(0))
    for _ in 0..<20 { storm.recordDeath(.internalFailure, at: second(0)) }
    storm.resume(at: second(5))
    #expect(!storm.isStopped(at: second(5)))
    for _ in 0..<2 { storm.recordDeath(.internalFailure, at: second(6)) }
    #expect(storm.isStopped(at: second(65.9)))
    #expect(!storm.isStopped(at: second(66)))
  }

  @Test("a process killed each second from outside stops nothing; two each second do")
  func outside() {
    var storm = DecodingCircuitBreaker()
    #expect(stop(of: &storm, .externalKill, from: 0, every: 1, count: 3_600) == nil)
    storm = DecodingCircuitBreaker()
    #expect(stop(of: &storm, .externalKill, from: 0, every: 0.4, count: 3_600) != nil)
  }

  @Test("never stops for fewer deaths than it says, whatever their order", arguments: 0..<20)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var storm = DecodingCircuitBreaker()
    var deaths: [(at: Double, weight: Int)] = []
    var time = 0.0
    for _ in 0..<2_000 {
      time += Double.random(in: 0...12, using: &random)
      let cause: DecodingCircuitBreaker.Cause = Bool.random(using: &random) ? .internalFailure : .externalKill
      storm.recordDeath(cause, at: second(time))
      deaths.append((time, cause == .internalFailure ? 6 : 1))
      let weight = deaths.filter { time - $0.at < 60 }.reduce(0) { $0 + $1.weight }
      guard storm.isStopped(at: second(time)) else {
        #expect(weight < 120)
        continue
      }
      #expect(weight >= 12)
      // A long calm, and everything is as in the beginning.
      time += 2_000
      deaths = []
      #expect(!storm.isStopped(at: second(time)))
    }
  }
}
