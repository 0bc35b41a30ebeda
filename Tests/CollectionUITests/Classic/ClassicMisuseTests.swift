import Testing

@Suite("A mistake with a data source that is asked by index path stops the program with a sentence that names it")
struct ClassicMisuseTests {
  @Test("Each is told what it is, with its numbers", arguments: ClassicMistake.allCases)
  func sentences(mistake: ClassicMistake) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
      await mistake.make()
    }
    try Misuse.expect(result, says: mistake.sentence)
  }
}
