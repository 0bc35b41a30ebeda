/// Numbers in the text that instruments leave: the kernel under /proc, and callgrind.
public enum InstrumentText {
  /// The bytes that a line such as `VmHWM:   12 kB` names; nothing where there is no such line.
  ///
  /// - Complexity: O(c) for c characters.
  public static func bytes(of name: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count == 3, words[0] == name + ":", words[2] == "kB" else { continue }
      return Int(words[1]).map { $0 * 1_024 }
    }
    return nil
  }

  /// The number in the `totals:` line of a callgrind profile; nothing where there is no such line.
  ///
  /// - Complexity: O(c) for c characters.
  public static func callgrindTotal(in text: String) -> Double? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == "totals:" { return Double(words[1]) }
    }
    return nil
  }
}
