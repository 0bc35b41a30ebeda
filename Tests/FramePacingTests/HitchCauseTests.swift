import FramePacing
import Testing

@Suite("A late frame tells why in words")
struct HitchCauseTests {
  static func record(_ hitchClass: HitchClass) -> FrameRecord {
    var record = FrameRecord()
    record.index = 100
    record.hitchClass = hitchClass
    record.hitch = .milliseconds(5)
    record.preparesAhead = true
    record.phaseEnds[FramePhase.raster.rawValue] = .zero + .milliseconds(22.04)
    record.phaseEnds[FramePhase.slack.rawValue] = .zero + .milliseconds(30)
    record.presentStart = .zero + .milliseconds(30)
    record.phaseEnds[FramePhase.present.rawValue] = .zero + .milliseconds(41)
    record.wakeLateness = .milliseconds(1.26)
    return record
  }

  static func refusal(_ frame: Int) -> SlackRefusal {
    SlackRefusal(reason: .cost, cost: .milliseconds(7), remaining: .milliseconds(3.9), frame: frame)
  }

  @Test("What a commit had to prepare, and the last refusal before it unless that is long ago")
  func forced() {
    var record = Self.record(.commitLate)
    #expect(record.cause == "the commit took 22.0 ms; no cell was prepared in it")
    record.cellsForced = 2
    #expect(record.cause == "forced prepare; nothing was refused before, and there was not time enough")
    record.lastRefusal = Self.refusal(40)
    #expect(record.cause == "forced prepare; last slack refusal: cost 7.0 ms > 3.9 ms left")
    record.lastRefusal = Self.refusal(39)
    #expect(record.cause == "forced prepare; nothing was refused before, and there was not time enough")
    record.preparesAhead = false
    #expect(record.cause == "forced prepare; nothing is prepared ahead")
    var carried = Self.record(.commitLate)
    carried.isDeferredStepForced = true
    #expect(carried.cause == "the commit took 22.0 ms; no cell was prepared in it")
    carried.deferredStepDelay = .milliseconds(9)
    #expect(carried.cause == "forced prepare; nothing was refused before, and there was not time enough")
  }

  @Test("Every class of a late frame has its words, and a frame in time has none")
  func classes() {
    #expect(Self.record(.none).cause == nil)
    #expect(Self.record(.presentLate).cause == "presenting took 11.0 ms")
    #expect(Self.record(.wakeLate).cause == "woken 1.3 ms late")
    #expect(Self.record(.slackOverrun).cause == "work ahead took 8.0 ms")
    #expect(Self.record(.external).cause == "the refresh changed")
    var waiting = Self.record(.ownWorkers)
    waiting.contention = ProcessorContention(waited: .milliseconds(3.1), ownWork: .milliseconds(5.26))
    #expect(waiting.cause == "waited 3.1 ms for a processor; own workers ran 5.3 ms")
    var record = Self.record(.slackOverrun)
    record.deferredStepDelay = .milliseconds(3)
    #expect(record.cause == "a step of work ahead held the frame up by 3.0 ms")
    record = Self.record(.external)
    record.preempted = .milliseconds(12)
    #expect(record.cause == "others ran for 12.0 ms")
    record.inheritsLateness = true
    record.start = record.deadline - .milliseconds(0.4)
    #expect(record.cause == "the frame before was late and left 0.4 ms")
  }
}
