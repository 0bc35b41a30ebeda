import Testing

/// Checks what a program that was stopped said.
enum Misuse {
  static func expect(_ result: ExitTest.Result?, says words: String) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(words), "\(text)")
  }
}
