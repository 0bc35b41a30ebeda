import Testing
import VitrineTestSupport

@testable import VitrineRendering

@Suite("Lines break after spaces and hyphens, and around East Asian characters")
struct LineBreakRulesTests {
  private func parts(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    let offsets = LineBreakRules.offsets(in: text)
    return zip([0] + offsets, offsets).map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
  }

  @Test(
    "Words",
    arguments: [
      ("", []), ("one", ["one"]), ("one two", ["one ", "two"]), ("a  b ", ["a  ", "b "]), (" a", [" ", "a"]),
      ("well-known", ["well-", "known"]), ("-5 to 10-20", ["-5 ", "to ", "10-20"]), ("a -- b", ["a ", "-- ", "b"]),
      ("(one) [two]", ["(one) ", "[two]"]), ("e\u{301} f", ["e\u{301} ", "f"]), ("no\u{A0}break", ["no\u{A0}break"]),
    ] as [(String, [String])])
  func words(text: String, expected: [String]) { #expect(parts(text) == expected) }

  @Test(
    "East Asian text",
    arguments: [
      ("東京都", ["東", "京", "都"]), ("「東京」、です。", ["「東", "京」、", "で", "す。"]), ("東京Tower 2", ["東", "京", "Tower ", "2"]),
      ("ちょっと", ["ちょっ", "と"]), ("コーヒー", ["コー", "ヒー"]), ("🦊🍓👍🏽", ["🦊", "🍓", "👍🏽"]),
    ] as [(String, [String])])
  func eastAsian(text: String, expected: [String]) { #expect(parts(text) == expected) }

  @Test("The parts make up any text, and are not within characters", arguments: 1...50 as ClosedRange<UInt64>)
  func anyText(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("ab 1-(」。東ょé\u{301}🦊\u{200D}👍🏽\u{FE0F}שส".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      if let scalar = alphabet.randomElement(using: &random) { text.append(scalar) }
    }
    let result = parts(String(text))
    #expect(result.joined().unicodeScalars.elementsEqual(text) && result.allSatisfy { !$0.isEmpty })
  }
}
