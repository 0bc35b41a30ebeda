import BenchmarkSupport
import Testing

@Suite("Modelled cells")
struct CellModelTests {
  @Test("are all the same unless some are said to be heavy")
  func uniform() {
    let model = CellModel(CellWork(handler: 3, part: 2, parts: 4, drawing: 1))
    #expect((0..<100).allSatisfy { model.kind(of: $0) == 0 && model.work(of: $0).total == 12 })
  }

  @Test("are heavy as often as they are said to be, at places that follow no pattern and are always the same")
  func mixed() {
    let (cheap, heavy) = (CellWork(handler: 1), CellWork(handler: 9))
    let model = CellModel(cheap: cheap, heavy: heavy, every: 5)
    let kinds = (0..<10_000).map { model.kind(of: $0) }
    let count = kinds.count { $0 == 1 }
    #expect((1_850...2_150).contains(count))
    #expect(kinds == (0..<10_000).map { model.kind(of: $0) })
    #expect((0..<10_000).allSatisfy { model.work(of: $0) == (kinds[$0] == 1 ? heavy : cheap) })
    // Neighbours of both kinds come in every order.
    let pairs = Set(zip(kinds, kinds.dropFirst()).map { $0 * 2 + $1 })
    #expect(pairs == [0, 1, 2, 3])
    #expect(CellModel(cheap: cheap, heavy: heavy, every: 0).kind(of: 7) == 1)
  }
}
