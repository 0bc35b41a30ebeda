import Glibc

/// Programs that are run and say something.
public enum ChildProgram {
  /// Runs a program and returns what it wrote; nothing where it could not be run or failed.
  ///
  /// The C functions are `popen` and `pclose`.
  ///
  /// - Parameter words: its path and its arguments.
  public static func output(_ words: [String]) -> String? {
    guard let pipe = popen(words.map(quoted).joined(separator: " "), "r") else { return nil }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      let got = fread(&piece, 1, piece.count, pipe)
      guard got > 0 else { break }
      text += piece[..<got]
    }
    return pclose(pipe) == 0 ? String(decoding: text, as: UTF8.self) : nil
  }

  /// A word as the shell takes it, whatever is in it.
  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
