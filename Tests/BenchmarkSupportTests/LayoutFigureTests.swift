import BenchmarkSupport
import Testing

@Suite("What layouts are held against")
struct LayoutFigureTests {
  @Test("a question has the same bound for any number of items")
  func question() {
    for kind in LayoutKind.allCases {
      for count in [1_000, 10_000_000] {
        #expect(LayoutFigure.question.timeAim(of: kind, count: count) == Aim(.time, 10e3))
      }
    }
    #expect(LayoutFigure.question.growthAim == 1.05)
    #expect(LayoutFigure.solve.growthAim == nil)
  }

  @Test("a first layout is bounded where nothing must be looked at, all places where pictures tell them")
  func solving() {
    #expect(LayoutFigure.solve.timeAim(of: .mosaic, count: 1_000_000) == Aim(.time, 1e6))
    #expect(LayoutFigure.solve.timeAim(of: .justified, count: 1_000_000) == nil)
    #expect(LayoutFigure.settleAll.timeAim(of: .justified, count: 1_000_000) == Aim(.time, 30e6))
    #expect(LayoutFigure.insertion.timeAim(of: .grid, count: 1_000) == nil)
    for figure in [LayoutFigure.insertion, .headInsertion] {
      #expect(figure.timeAim(of: .cards, count: 1_000_000) == Aim(.time, 20e3))
    }
    #expect(LayoutFigure.settleBehind.timeAim(of: .cards, count: 1_000_000) == nil)
  }

  @Test("nothing is kept for an item where places follow from numbers")
  func memory() {
    #expect(LayoutFigure.memoryAim(of: .grid, count: 1_000_000)?.isReached(by: 0.001) == true)
    #expect(LayoutFigure.memoryAim(of: .grid, count: 1_000_000)?.isReached(by: 1) == false)
    #expect(LayoutFigure.memoryAim(of: .justified, count: 1_000_000)?.isReached(by: 8) == true)
    #expect(LayoutKind.allCases.filter(\.asksCells) == [.estimated, .cards])
    #expect(LayoutFigure.memoryAim(of: .estimated, count: 1_000_000) == nil)
    #expect(LayoutFigure.memoryAim(of: .cards, count: 1_000_000) == nil)
  }
}
