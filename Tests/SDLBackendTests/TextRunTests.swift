import SDLBackend
import TestSupport
import Testing

@Suite("A line is cut into runs that are shaped as one")
struct TextRunTests {
  private func kinds(_ line: String, hasMonospacedDigits: Bool = false) -> [TextRun.Kind] {
    TextRun.runs(of: line, hasMonospacedDigits: hasMonospacedDigits).map(\.kind)
  }

  private func texts(_ line: String, hasMonospacedDigits: Bool = false) -> [String] {
    TextRun.runs(of: line, hasMonospacedDigits: hasMonospacedDigits).map(\.text)
  }

  private let latin = TextRun.Kind.leftToRight(script: "Latn")

  @Test("Ordinary names are one run", arguments: ["IMG_0042.jpg", "a", "(1) – Größe.png", "42", "…", "☂ & ❤️"])
  func oneRun(line: String) {
    #expect(kinds(line) == [latin] && texts(line) == [line])
  }

  @Test("Nothing has no runs")
  func nothing() { #expect(kinds("").isEmpty) }

  @Test("Digits of one width are runs of their own")
  func digits() {
    #expect(texts("12.5 ms, 3", hasMonospacedDigits: true) == ["12", ".", "5", " ms, ", "3"])
    #expect(kinds("12.5", hasMonospacedDigits: true) == [.digits, latin, .digits])
  }

  @Test("Words from right to left keep together, and endings stay outside")
  func rightToLeft() {
    let hebrew = TextRun.Kind.rightToLeft(script: "Hebr")
    #expect(texts("שלום עולם.jpg") == ["שלום עולם", ".jpg"])
    #expect(kinds("שלום עולם.jpg") == [hebrew, latin])
    #expect(texts("IMG שלום (2)") == ["IMG ", "שלום", " (2)"])
    #expect(kinds("سلام") == [.rightToLeft(script: "Arab")])
  }

  @Test("Scripts are told apart and take their marks along")
  func scripts() {
    #expect(kinds("नमस्ते") == [.leftToRight(script: "Deva")])
    #expect(kinds("สวัสดี 1") == [.leftToRight(script: "Thai")])
    #expect(kinds("Привет") == [.leftToRight(script: "Cyrl")])
    #expect(kinds("αβγ abc") == [.leftToRight(script: "Grek"), latin])
    #expect(kinds("写真.jpg") == [.leftToRight(script: "Hani"), latin])
  }

  @Test("The runs are the line, whatever it is", arguments: 1...200 as ClosedRange<UInt64>)
  func runsAreTheLine(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("ab 12.-_שלום سلام नम สว 写 α я ❤️\u{0301}(…)".unicodeScalars)
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
