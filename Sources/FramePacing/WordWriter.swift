/// Takes words that are made where nothing may be allocated, or that become a string.
public protocol TextWriter {
  /// Writes fixed words.
  mutating func write(_ words: StaticString)
  /// Writes so many tenths of a millisecond with their unit, such as `7.0 ms`.
  mutating func write(tenths: Int64)
}

extension TextWriter {
  /// Writes a duration to the nearest tenth of a millisecond; negative ones are none.
  mutating func write(_ duration: FrameDuration) { write(tenths: (max(0, duration.nanoseconds) + 50_000) / 100_000) }
}
