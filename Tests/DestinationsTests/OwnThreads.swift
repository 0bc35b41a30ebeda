import Foundation
import TestSupport

/// The threads of this process, by name.
enum OwnThreads {
  /// How many have a name.
  static func count(named name: String) -> Int {
    let folder = "/proc/self/task/"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.count { (try? String(contentsOfFile: folder + $0 + "/comm", encoding: .utf8)) == name + "\n" }
  }

  /// Waits until none has a name: one that was joined may be seen for a moment.
  ///
  /// - Throws: `TookTooLong`.
  static func waitForNone(named name: String) throws {
    try Deadline().wait(for: "the end of all threads “\(name)”") { count(named: name) == 0 ? () : nil }
  }
}
