import FramePacing
import Views

/// Writes a hitch's cause into a line of the overlay, where nothing may be allocated.
struct GlyphLineTextWriter: @MainActor TextWriter {
  /// The line.
  let line: GlyphLine

  mutating func write(_ words: StaticString) { line.write(words) }

  mutating func write(tenths: Int64) { line.write(Double(tenths) / 10, decimals: 1).write(" ms") }
}
