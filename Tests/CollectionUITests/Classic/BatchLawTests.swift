import CollectionUI
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A view shows what the arrays hold after any batch of edits, with the cells that its items had")
struct BatchLawTests {
  @Test("Random deletions, insertions and moves, scrolled anywhere, animated or not", arguments: 0..<24)
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let wall = ClassicWall([WordGrid.words(0..<40), WordGrid.words(40..<60)])
    var fresh = 1_000
    for round in 0..<12 {
      wall.view.scroll(
        to: Double.random(in: 0...wall.view.scroll.range.maximum.rounded(), using: &random), animated: false)
      wall.stage.run(frames: 1)
      let before = wall.source.sections
      var after: [[String]] = [[], []]
      var moving: [(word: String, item: Int, section: Int)] = []
      var deletions: [(item: Int, section: Int)] = []
      for (section, words) in before.enumerated() {
        for (item, word) in words.enumerated() {
          switch Int.random(in: 0..<10, using: &random) {
          case 0: deletions.append((item, section))
          case 1: moving.append((word, item, section))
          default: after[section].append(word)
          }
        }
      }
      var arrivals = moving.map(\.word)
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        arrivals.append("n\(fresh)")
        fresh += 1
      }
      for word in arrivals.shuffled(using: &random) {
        let section = Int.random(in: 0...1, using: &random)
        after[section].insert(word, at: Int.random(in: 0...after[section].count, using: &random))
      }
      let cells = Dictionary(uniqueKeysWithValues: wall.words.map { ($0.word, $0) })
      wall.forget()
      let update = {
        wall.view.performBatchUpdates(animated: round % 2 == 0) {
          wall.source.sections = after
          wall.view.deleteItems(at: deletions.map { ClassicWall.path($0.item, $0.section) })
          for (section, words) in after.enumerated() {
            for (item, word) in words.enumerated() {
              if let origin = moving.first(where: { $0.word == word }) {
                wall.view.moveItem(
                  at: ClassicWall.path(origin.item, origin.section), to: ClassicWall.path(item, section))
              } else if !before.joined().contains(word) {
                wall.view.insertItems(at: [ClassicWall.path(item, section)])
              }
            }
          }
        }
      }
      if round % 3 == 0 { wall.frame(update) } else { update() }
      wall.stage.runUntilIdle()
      let all = Array(after.joined())
      #expect(wall.view.itemCount == all.count)
      let range = wall.view.visibleRange
      #expect(wall.shown == Array(all[range]), "seed \(seed), round \(round)")
      for word in wall.words { if let cell = cells[word.word] { #expect(cell === word, "\(word.word)") } }
      #expect(wall.source.asked.allSatisfy { cells[$0] == nil }, "nobody asks for what has a cell")
      #expect(wall.log.displayed.values.sorted() == wall.shown.sorted())
    }
  }
}
