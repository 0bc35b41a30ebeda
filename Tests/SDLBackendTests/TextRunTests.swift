import Testing
import VitrineSDLBackend
import VitrineTestSupport

@Suite("A line is split into runs that are shaped as a unit")
struct TextRunTests {
  private func kinds(_ line: String, hasMonospacedDigits: Bool = false) -> [TextRun.Kind] {
    TextRun.runs(of: line, hasMonospacedDigits: hasMonospacedDigits).map(\.kind)
  }

  private func texts(_ line: String, hasMonospacedDigits: Bool = false) -> [String] {
    TextRun.runs(of: line, hasMonospacedDigits: hasMonospacedDigits).map(\.text)
  }

  private let latin = TextRun.Kind.text(script: "Latn")

  @Test("Ordinary names are one run", arguments: ["IMG_0042.jpg", "a", "(1) – Größe.png", "42", "…", "☂ & ❤️"])
  func oneRun(line: String) {
    #expect(kinds(line) == [latin] && texts(line) == [line])
  }

  @Test("An empty line has no runs")
  func emptyLine() { #expect(kinds("").isEmpty) }

  @Test("Monospaced digits are separate runs")
  func digits() {
    #expect(texts("12.5 ms, 3", hasMonospacedDigits: true) == ["12", ".", "5", " ms, ", "3"])
    #expect(kinds("12.5", hasMonospacedDigits: true) == [.digits, latin, .digits])
  }

  @Test("Scripts are separate runs that include their marks")
  func scripts() {
    #expect(kinds("Привет") == [.text(script: "Cyrl")])
    #expect(kinds("αβγ abc") == [.text(script: "Grek"), latin])
  }

  @Test("The runs make up the line, for any line", arguments: 1...200 as ClosedRange<UInt64>)
  func runsAreTheLine(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("ab 12.-_ α я é\u{0301}(…)".unicodeScalars)
    var line = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      line.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
    }
    for hasMonospacedDigits in [true, false] {
      let runs = TextRun.runs(of: String(line), hasMonospacedDigits: hasMonospacedDigits)
      #expect(runs.flatMap { Array($0.text.unicodeScalars) } == Array(line))
      #expect(runs.allSatisfy { !$0.text.isEmpty })
      #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.kind != $1.kind })
    }
  }
}

@Suite("Lines are split between words where this does not change their shape")
struct WordBreaksTests {
  private func segments(of line: String) -> [String] {
    let bytes = Array(line.utf8)
    var segments: [String] = []
    var start = 0
    while start < bytes.count {
      let end = bytes.withUnsafeBufferPointer { WordBreaks.endOfSegment(from: start, in: $0) }
      segments.append(String(decoding: bytes[start..<end], as: UTF8.self))
      start = end
    }
    return segments
  }

  @Test("Words include the space after them")
  func words() {
    #expect(segments(of: "Quiet hills at 5") == ["Quiet ", "hills ", "at ", "5"])
    #expect(
      segments(of: "Hills, mist. At 5; why? Yes! No") == ["Hills, ", "mist. ", "At ", "5; ", "why? ", "Yes! ", "No"])
    #expect(segments(of: "IMG_0042.jpg") == ["IMG_0042.jpg"])
    #expect(segments(of: "").isEmpty)
  }

  @Test(
    "Symbols and the characters around them stay together",
    arguments: ["A - B", "12 x 34", "a  b", " a", "a ", "é a", "a é", "a: b", "a, - b", ", a", "-, a", "x, a", "a,, b"])
  func symbols(line: String) { #expect(segments(of: line) == [line]) }

  @Test("The segments make up the line, for any line", arguments: 1...100 as ClosedRange<UInt64>)
  func segmentsAreTheLine(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("aZ09 x -…é日  ".unicodeScalars)
    var line = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      line.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
    }
    let result = segments(of: String(line))
    #expect(result.joined().unicodeScalars.elementsEqual(line))
    #expect(result.allSatisfy { !$0.isEmpty })
  }
}
