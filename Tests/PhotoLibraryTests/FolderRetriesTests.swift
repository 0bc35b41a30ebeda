import Testing

@testable import VitrinePhotoLibrary

@Suite("Folders that could not be read are read again")
struct FolderRetriesTests {
  private let folder = PhotoPath("/photos")
  private static let second: UInt64 = 1_000_000_000

  /// Returns the times, in seconds, at which a folder that can never be read is read, from the first time on.
  private func attempts(until end: UInt64) -> [Double] {
    var retries = FolderRetries()
    var times: [Double] = []
    var now: UInt64 = 0
    retries.insert(folder, at: now)
    while let next = retries.nextTime, next <= end * FolderRetriesTests.second {
      now = next
      #expect(retries.takeDueFolders(at: now - 1) == [])
      #expect(retries.takeDueFolders(at: now) == [folder])
      times.append(Double(now) / 1e9)
      retries.insert(folder, at: now)
    }
    return times
  }

  @Test("At first every half second, and then after pauses that double to a minute")
  func pauses() {
    let times = attempts(until: 400)
    #expect(Array(times.prefix(17)) == (1...16).map { Double($0) / 2 } + [9])
    #expect(times.dropFirst(16).prefix(8) == [9, 11, 15, 23, 39, 71, 135, 199])
  }

  @Test("A folder that could be read is not read again, and starts with short pauses the next time")
  func recovered() {
    var retries = FolderRetries()
    for attempt in 0..<100 {
      retries.insert(folder, at: UInt64(attempt) * FolderRetriesTests.second)
      _ = retries.takeDueFolders(at: .max)
    }
    #expect(retries.nextTime == nil)
    retries.insert(folder, at: 1_000 * FolderRetriesTests.second)
    #expect(retries.nextTime == 1_000 * FolderRetriesTests.second + FolderRetries.quickPause)
  }

  @Test("Several errors of a folder are one attempt, and the number of folders is limited")
  func limits() {
    var retries = FolderRetries()
    retries.insert(folder, at: 0)
    retries.insert(folder, at: 10)
    #expect(retries.nextTime == FolderRetries.quickPause)
    for number in 0..<1_000 { retries.insert(PhotoPath("/photos/\(number)"), at: 20) }
    let due = retries.takeDueFolders(at: .max)
    #expect(due.count == FolderRetries.maximumCount && due.contains(folder))
    // Those that were read make room.
    retries.insert(PhotoPath("/other"), at: 30)
    #expect(retries.takeDueFolders(at: .max) == [PhotoPath("/other")])
  }
}
