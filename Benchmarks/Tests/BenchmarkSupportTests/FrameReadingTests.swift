import BenchmarkSupport
import Testing

@Suite("Frames of a scroll")
struct FrameReadingTests {
  private func tally(
    entered: Int = 0, forced: Int = 0, created: Int = 0, left: Int = 0, arrived: Int = 0
  ) -> FrameTally {
    var tally = FrameTally()
    (tally.entered, tally.forced, tally.created, tally.left, tally.arrived) = (entered, forced, created, left, arrived)
    return tally
  }

  @Test("A frame with one kind of work has that kind")
  func kinds() {
    #expect(tally().kind == .offsetOnly)
    #expect(tally(left: 8).kind == .leaving)
    #expect(tally(entered: 8, left: 8).kind == .bind)
    #expect(tally(entered: 8, forced: 8).kind == .reuse)
    #expect(tally(entered: 8, forced: 8, created: 8).kind == .create)
    #expect(tally(arrived: 1).kind == .arrival)
  }

  @Test("A frame with several kinds of work has no kind")
  func mixtures() {
    #expect(tally(entered: 8, forced: 3).kind == nil)
    #expect(tally(entered: 8, forced: 8, created: 3).kind == nil)
    #expect(tally(entered: 8, arrived: 1).kind == nil)
    #expect(tally(left: 8, arrived: 1).kind == nil)
  }

  @Test("A reading contains the median, the 99th percentile and the maximum")
  func ranks() {
    var reading = FrameReading()
    #expect(reading.medianTime == nil && reading.maximumInstructions == nil && reading.maximumCalls(.retain) == nil)
    for number in 1...200 {
      reading.add(
        FrameCost(nanoseconds: Double(201 - number), instructions: Double(number), calls: [0, number % 7, 2]),
        entered: number % 9)
    }
    #expect(reading.count == 200 && reading.maximumEntered == 8)
    #expect(reading.medianTime == 100 && reading.percentile99Time == 198)
    #expect(reading.medianInstructions == 100 && reading.maximumInstructions == 200)
    #expect(
      reading.maximumCalls(.allocation) == 0 && reading.maximumCalls(.retain) == 6
        && reading.maximumCalls(.release) == 2)
  }

  @Test("Goals exist for steady-state frames and for up to eight prepared cells")
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

@Suite("Goals of layouts")
struct LayoutFigureTests {
  @Test("A query has the same goal for any number of items")
  func query() {
    for kind in LayoutKind.allCases {
      for count in [1_000, 10_000_000] {
        #expect(LayoutFigure.query.timeAim(of: kind, count: count) == Aim(.time, 10e3))
      }
    }
    #expect(LayoutFigure.query.growthAim == 1.05)
    #expect(LayoutFigure.solve.growthAim == nil)
  }

  @Test("Goals of solving and settling depend on the layout")
  func solving() {
    #expect(LayoutFigure.solve.timeAim(of: .mosaic, count: 1_000_000) == Aim(.time, 1e6))
    #expect(LayoutFigure.solve.timeAim(of: .justified, count: 1_000_000) == nil)
    #expect(LayoutFigure.settleAll.timeAim(of: .justified, count: 1_000_000) == Aim(.time, 30e6))
    #expect(LayoutFigure.insertion.timeAim(of: .grid, count: 1_000) == nil)
    for figure in [LayoutFigure.insertion, .headInsertion] {
      #expect(figure.timeAim(of: .cards, count: 1_000_000) == Aim(.time, 20e3))
    }
    #expect(LayoutFigure.settleAfterInsertion.timeAim(of: .cards, count: 1_000_000) == nil)
  }

  @Test("Layouts with uniform frames use no memory per item")
  func memory() {
    #expect(LayoutFigure.memoryAim(of: .grid, count: 1_000_000)?.isReached(by: 0.001) == true)
    #expect(LayoutFigure.memoryAim(of: .grid, count: 1_000_000)?.isReached(by: 1) == false)
    #expect(LayoutFigure.memoryAim(of: .justified, count: 1_000_000)?.isReached(by: 8) == true)
    #expect(LayoutKind.allCases.filter(\.isSelfSizing) == [.estimated, .cards])
    #expect(LayoutFigure.memoryAim(of: .estimated, count: 1_000_000) == nil)
    #expect(LayoutFigure.memoryAim(of: .cards, count: 1_000_000) == nil)
  }
}

@Suite("Readings")
struct ReadingTests {
  private func reading(_ nanoseconds: Double..., instructions: [Double?] = []) -> Reading {
    var reading = Reading()
    for (index, time) in nanoseconds.enumerated() {
      reading.add(Sample(nanoseconds: time, instructions: index < instructions.count ? instructions[index] : nil))
    }
    return reading
  }

  @Test("A reading contains the fastest, the slowest and the median run in any order of runs")
  func order() {
    let odd = reading(30, 10, 20)
    #expect(odd.nanoseconds == [10, 20, 30])
    #expect(odd.least == 10 && odd.median == 20 && odd.most == 30)
    let even = reading(4, 1, 3, 2)
    #expect(even.median == 2.5)
    #expect(reading(7).median == 7)
  }

  @Test("A reading without runs has no values")
  func empty() {
    #expect(reading().least == nil && reading().median == nil && reading().most == nil)
    #expect(reading(1).ratio(to: reading()) == nil)
    #expect(reading(1).ratio(to: reading(0)) == nil)
  }

  @Test("The ratio of readings uses the fastest runs")
  func ratio() { #expect(reading(60, 500).ratio(to: reading(20, 21)) == 3) }

  @Test("A reading has the fewest instructions of its runs, or nil if none were counted")
  func instructions() {
    #expect(reading(1, 2, 3, instructions: [50, 40, nil]).instructions == 40)
    #expect(reading(1).instructions == nil)
  }

  @Test("A sample divides the cost by the number of operations")
  func operations() {
    let sample = Sample(nanoseconds: 320, instructions: 64, operations: 32)
    #expect(sample.nanoseconds == 10 && sample.instructions == 2)
  }
}
