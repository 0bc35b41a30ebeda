import SDLBackend
import TestSupport
import Testing

@Suite("Lines are cut between words where that changes nothing")
struct WordBreaksTests {
  @Test("Words keep the space after them")
  func words() {
    #expect(WordBreaks.parts(of: "Quiet hills at 5") == ["Quiet ", "hills ", "at ", "5"])
    #expect(WordBreaks.parts(of: "IMG_0042.jpg") == ["IMG_0042.jpg"])
    #expect(WordBreaks.parts(of: "").isEmpty)
  }

  @Test(
    "Signs and what stands around them keep together",
    arguments: ["A - B", "12 x 34", "a  b", " a", "a ", "é a", "a é"])
  func together(line: String) { #expect(WordBreaks.parts(of: line) == [line[...]]) }

  @Test("The parts are the line, whatever it is", arguments: 1...100 as ClosedRange<UInt64>)
  func partsAreTheLine(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("aZ09 x -…é日  ".unicodeScalars)
    var line = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      line.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
    }
    let parts = WordBreaks.parts(of: String(line))
    #expect(parts.joined().unicodeScalars.elementsEqual(line))
    #expect(parts.allSatisfy { !$0.isEmpty })
  }
}
