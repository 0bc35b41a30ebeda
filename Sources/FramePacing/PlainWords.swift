/// Words as a string.
struct StringTextWriter: TextWriter {
  /// What was written.
  private(set) var text = ""

  mutating func write(_ words: StaticString) { text += words.description }

  mutating func write(tenths: Int64) { text += "\(tenths / 10).\(tenths % 10) ms" }
}
