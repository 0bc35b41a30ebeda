import DiffableData
import PhotoLibrary
import TestSupport
import Testing

@testable import GalleryUI

@Suite("What another scan lists is compared with what is shown while it goes on")
struct RescanEditsTests {
  private static func ids(_ numbers: some Sequence<Int>) -> [PhotoID] {
    numbers.map { PhotoID(rawValue: UInt32($0)) }
  }

  private static func snapshot(_ items: [PhotoID]) -> RescanDiff.Snapshot {
    var snapshot = RescanDiff.Snapshot()
    guard !items.isEmpty else { return snapshot }
    snapshot.appendSections([.all])
    snapshot.appendItems(items)
    return snapshot
  }

  private static func outcome(
    _ base: [PhotoID], listing listed: [PhotoID], isOffline: (PhotoID) -> Bool = { _ in false }
  ) -> RescanDiff.Outcome {
    var edits = RescanDiff(of: snapshot(base))
    for item in listed { edits.addListed(item) }
    return edits.outcome(isOffline: isOffline)
  }

  @Test("Nothing new is no edit")
  func nothing() {
    let base = Self.ids(1...1_000)
    let outcome = Self.outcome(base, listing: base)
    #expect(outcome.arrived.isEmpty && outcome.removed.isEmpty)
    #expect(outcome.snapshot == Self.snapshot(base))
    #expect(Self.outcome([], listing: []).snapshot == Self.snapshot([]))
  }

  @Test("Photographs come in at the beginning, between others and at the end, and go")
  func addedAndRemoved() {
    let outcome = Self.outcome(Self.ids([1, 2, 3, 4]), listing: Self.ids([11, 12, 1, 3, 13, 4, 14]))
    #expect(outcome.snapshot.itemIdentifiers == Self.ids([11, 12, 1, 3, 13, 4, 14]))
    #expect(outcome.arrived == Self.ids([11, 12, 13, 14]))
    #expect(outcome.removed == Self.ids([2]))
    #expect(Self.outcome([], listing: Self.ids([5, 6])).snapshot.itemIdentifiers == Self.ids([5, 6]))
    #expect(Self.outcome(Self.ids([5, 6]), listing: []).removed == Self.ids([5, 6]))
  }

  @Test("Where the scan could not look nothing is gone, and keeps its place")
  func offline() {
    let outcome = Self.outcome(Self.ids(1...8), listing: Self.ids([1, 2, 7, 9])) { (3...5).contains($0.rawValue) }
    #expect(outcome.snapshot.itemIdentifiers == Self.ids([1, 2, 3, 4, 5, 7, 9]))
    #expect(outcome.removed == Self.ids([6, 8]))
  }

  @Test("The shown order becomes the listed one, however they differ, and what is listed twice counts once")
  func random() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<1_000 {
      let base = Self.ids((0..<Int.random(in: 0..<20, using: &random)).shuffled(using: &random))
      var listed = base.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      for number in 100..<(100 + Int.random(in: 0..<6, using: &random)) {
        listed.insert(Self.ids([number])[0], at: Int.random(in: 0...listed.count, using: &random))
      }
      if Bool.random(using: &random) { listed.shuffle(using: &random) }
      let once = listed
      if let again = listed.randomElement(using: &random) {
        let first = listed.firstIndex(of: again) ?? 0
        listed.insert(again, at: Int.random(in: (first + 1)...listed.count, using: &random))
      }
      let outcome = Self.outcome(base, listing: listed)
      #expect(outcome.snapshot.itemIdentifiers == once, "\(base) -> \(listed)")
      #expect(Set(outcome.removed) == Set(base).subtracting(once))
      #expect(Set(outcome.arrived).isSuperset(of: Set(once).subtracting(base)))
    }
  }
}
