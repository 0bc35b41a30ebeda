public import FoundationEssentials
internal import DataStructures

/// Identifiers that can be made from numbers: equal for equal numbers, different for different ones.
public protocol BenchmarkIdentifier: Hashable, Sendable {
  /// The name in the table.
  static var kind: IdentifierKind { get }

  /// The identifier of a number, in storage of its own.
  ///
  /// Neighbouring numbers have nothing in common in their identifiers, so that no hash is spared its work.
  static func identifier(of number: Int) -> Self
}

extension Int: BenchmarkIdentifier {
  /// Numbers.
  public static var kind: IdentifierKind { .int }

  /// The number with its bits spread over all of a word, one to one.
  public static func identifier(of number: Int) -> Int {
    Int(truncatingIfNeeded: SplitMix64.mix(UInt64(truncatingIfNeeded: number)))
  }
}

extension UUID: BenchmarkIdentifier {
  /// Universally unique identifiers.
  public static var kind: IdentifierKind { .uuid }

  /// Sixteen bytes from the number.
  public static func identifier(of number: Int) -> UUID {
    let words = BenchmarkWords(number)
    func byte(_ word: UInt64, _ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * place)) }
    let (a, b) = (words.first, words.second)
    return UUID(
      uuid: (
        byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5), byte(a, 6), byte(a, 7),
        byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3), byte(b, 4), byte(b, 5), byte(b, 6), byte(b, 7)
      ))
  }
}

extension String: BenchmarkIdentifier {
  /// Text.
  public static var kind: IdentifierKind { .string }

  /// Thirty-two hexadecimal digits from the number.
  public static func identifier(of number: Int) -> String {
    let words = BenchmarkWords(number)
    return String(unsafeUninitializedCapacity: 32) { text in
      for place in 0..<32 {
        let word = place < 16 ? words.first : words.second
        let digit = UInt8(truncatingIfNeeded: word >> (4 * (place % 16))) & 15
        text[place] = digit < 10 ? 48 + digit : 87 + digit
      }
      return 32
    }
  }
}
