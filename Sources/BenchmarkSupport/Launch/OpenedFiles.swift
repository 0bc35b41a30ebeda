/// What strace wrote of the files that a program opened.
public enum OpenedFiles {
  /// How many calls of `open`, `openat` and `openat2` there were that opened something.
  ///
  /// - Parameter text: a line a call, as `openat(AT_FDCWD, "/etc/fonts", O_RDONLY) = 3`, with or without a process number
  ///   or a time before it.
  /// - Complexity: O(c) for c characters.
  public static func count(in text: String) -> Int {
    text.split(separator: "\n").count { line in
      let calls = ["open(", "openat(", "openat2("]
      guard line.split(separator: " ").contains(where: { word in calls.contains { word.hasPrefix($0) } }),
        let result = line.lastIndex(of: "=")
      else { return false }
      // A call that failed gives -1, and one that another thread's line cuts in two gives its number in the second.
      return line[line.index(after: result)...].drop { $0 == " " }.first?.isNumber == true
    }
  }
}
