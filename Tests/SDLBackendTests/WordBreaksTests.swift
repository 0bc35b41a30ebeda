import SDLBackend
import TestSupport
import Testing

@Suite("Lines are cut between words where that changes nothing")
struct WordBreaksTests {
  private func parts(of line: String) -> [String] {
    let bytes = Array(line.utf8)
    var parts: [String] = []
    var start = 0
    while start < bytes.count {
      let end = bytes.withUnsafeBufferPointer { WordBreaks.endOfSegment(from: start, in: $0) }
      parts.append(String(decoding: bytes[start..<end], as: UTF8.self))
      start = end
    }
    return parts
  }

  @Test("Words keep the space after them")
  func words() {
    #expect(parts(of: "Quiet hills at 5") == ["Quiet ", "hills ", "at ", "5"])
    #expect(
      parts(of: "Hills, mist. At 5; why? Yes! No") == ["Hills, ", "mist. ", "At ", "5; ", "why? ", "Yes! ", "No"])
    #expect(parts(of: "IMG_0042.jpg") == ["IMG_0042.jpg"])
    #expect(parts(of: "").isEmpty)
  }

  @Test(
    "Signs and what stands around them keep together",
    arguments: ["A - B", "12 x 34", "a  b", " a", "a ", "é a", "a é", "a: b", "a, - b", ", a", "-, a", "x, a", "a,, b"])
  func together(line: String) { #expect(parts(of: line) == [line]) }

  @Test("The parts are the line, whatever it is", arguments: 1...100 as ClosedRange<UInt64>)
  func partsAreTheLine(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("aZ09 x -…é日  ".unicodeScalars)
    var line = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      line.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
    }
    let cut = parts(of: String(line))
    #expect(cut.joined().unicodeScalars.elementsEqual(line))
    #expect(cut.allSatisfy { !$0.isEmpty })
  }
}
