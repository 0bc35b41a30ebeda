import Rendering
import TestSupport
import Testing

@Suite("Lines that are too long are cut with an ellipsis")
struct TruncationTests {
  /// Every character is ten wide.
  static func measure(_ text: String) -> Int { text.count * 10 }

  @Test("A line that fits stays whole")
  func fits() {
    #expect(Truncation.tail.truncatedText("photo.jpg", width: 90, measure: Self.measure) == "photo.jpg")
  }

  @Test("The middle is cut so that the extension stays")
  func middle() {
    let text = Truncation.middle.truncatedText(
      "a very long name of a photograph.jpeg", width: 200, measure: Self.measure)
    #expect(text.hasSuffix(".jpeg"))
    #expect(text.contains("…"))
    #expect(Self.measure(text) <= 200)
  }

  @Test("The tail is cut at the end, never after a space")
  func tail() {
    #expect(Truncation.tail.truncatedText("one two three", width: 90, measure: Self.measure) == "one two…")
  }

  @Test("Where letters are about equally wide the place is found at once")
  func fewMeasurements() {
    let text = "a name of many letters, as those of photographs often are.jpeg"
    for width in stride(from: 40, to: 600, by: 7) {
      var count = 0
      let result = Truncation.tail.truncatedText(text, width: width) { line in
        count += 1
        return line.reduce(0) { $0 + ("il.,".contains($1) ? 8 : 10) }
      }
      #expect(count <= 5, "\(result)")
    }
  }

  @Test("Whatever the text and width, the result fits or is the ellipsis alone, and no longer one would fit")
  func property() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let length = Int.random(in: 0...60, using: &generator)
      let text = String((0..<length).map { _ in "abcdefghij klmno.é漢".randomElement(using: &generator) ?? "x" })
      let width = Int.random(in: 0...400, using: &generator)
      for truncation in [Truncation.tail, .middle] {
        let result = truncation.truncatedText(text, width: width, measure: Self.measure)
        if Self.measure(text) <= width {
          #expect(result == text)
        } else {
          #expect(Self.measure(result) <= width || result.count <= 1 + text.count / 2)
          #expect(result.contains("…"))
        }
      }
    }
  }
}
