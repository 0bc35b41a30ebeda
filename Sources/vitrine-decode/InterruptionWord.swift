import CPlatform

/// The word in shared memory by which the program says that nobody waits for a request any more.
struct InterruptionWord: @unchecked Sendable {
  // @unchecked: the word is read in one atomic load, and stays mapped as long as the process lives.
  private let word: UnsafePointer<UInt32>

  /// Names the word.
  ///
  /// - Parameter word: in memory that stays mapped as long as the process lives.
  init(_ word: UnsafePointer<UInt32>) { self.word = word }

  /// Whether this request is the one that is to stop.
  func names(_ id: UInt32) -> Bool { platform_read_shared_word(word) == id }
}
