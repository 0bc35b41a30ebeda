import BenchmarkSupport
import Testing

@Suite("What frames of a scroll took")
struct FrameReadingTests {
  private func tally(
    entered: Int = 0, forced: Int = 0, created: Int = 0, left: Int = 0, arrived: Int = 0
  ) -> FrameTally {
    var tally = FrameTally()
    (tally.entered, tally.forced, tally.created, tally.left, tally.arrived) = (entered, forced, created, left, arrived)
    return tally
  }

  @Test("counts as the one kind of frame that it was")
  func kinds() {
    #expect(tally().kind == .offsetOnly)
    #expect(tally(left: 8).kind == .leaving)
    #expect(tally(entered: 8, left: 8).kind == .bind)
    #expect(tally(entered: 8, forced: 8).kind == .reuse)
    #expect(tally(entered: 8, forced: 8, created: 8).kind == .create)
    #expect(tally(arrived: 1).kind == .arrival)
  }

  @Test("counts as none where two things happened that cost")
  func mixtures() {
    #expect(tally(entered: 8, forced: 3).kind == nil)
    #expect(tally(entered: 8, forced: 8, created: 3).kind == nil)
    #expect(tally(entered: 8, arrived: 1).kind == nil)
    #expect(tally(left: 8, arrived: 1).kind == nil)
  }

  @Test("is the middle, the 99th of 100 and the most")
  func ranks() {
    var reading = FrameReading()
    #expect(reading.medianTime == nil && reading.mostInstructions == nil && reading.mostCalls(.retain) == nil)
    for number in 1...200 {
      reading.add(
        StretchCost(nanoseconds: Double(201 - number), instructions: Double(number), calls: [0, number % 7, 2]),
        entered: number % 9)
    }
    #expect(reading.count == 200 && reading.mostEntered == 8)
    #expect(reading.medianTime == 100 && reading.longTime == 198)
    #expect(reading.medianInstructions == 100 && reading.mostInstructions == 200)
    #expect(reading.mostCalls(.allocation) == 0 && reading.mostCalls(.retain) == 6 && reading.mostCalls(.release) == 2)
  }

  @Test("is held against bounds where nothing enters, and where eight prepared cells do")
  func aims() {
    #expect(FrameKind.offsetOnly.instructionAim(entered: 0) == Aim(.count, 12_000))
    #expect(FrameKind.offsetOnly.callAim(.allocation) == Aim(.count, 0))
    #expect(FrameKind.offsetOnly.callAim(.retain) == Aim(.count, 1))
    #expect(FrameKind.bind.instructionAim(entered: 8) == Aim(.count, 120_000))
    #expect(FrameKind.bind.instructionAim(entered: 9) == nil && FrameKind.bind.callAim(.allocation) == nil)
    #expect(FrameKind.create.instructionAim(entered: 8) == nil && FrameKind.create.growthAim == nil)
    #expect(Aim(.count, 12_000).verdict(on: 12_000) == "<= 12,000 reached")
  }
}
