import DataStructures

/// The files that ended decoding processes: after the second time a file is refused before a process sees it.
///
/// A file is told by what it is and not by its name or by who asks: another size, another key, a link or a copy of the
/// link finds it known. One that was changed is another file, and is tried. Bounded: of 65,536 files and more the ones
/// asked for least recently are forgotten.
struct CrashingFiles: Sendable {
  /// How often a file may end a process before it is left alone.
  static let deathsPerFile = 2

  private struct Record {
    var deaths: Int
    var failure: ImageFailure
  }

  private var records = LRUCache<FileIdentity, Record>(costLimit: 1 << 16)

  /// Why a file is not to be tried; nothing when it is.
  ///
  /// To ask is to use, and keeps the file from being forgotten.
  mutating func refusal(of file: FileIdentity) -> ImageFailure? {
    guard records.count > 0, let record = records.value(for: file), record.deaths >= CrashingFiles.deathsPerFile else {
      return nil
    }
    return record.failure
  }

  /// A file ended a process.
  mutating func recordDeath(of file: FileIdentity, _ failure: ImageFailure) {
    let deaths = records.peekValue(for: file)?.deaths ?? 0
    records.insert(Record(deaths: deaths + 1, failure: failure), for: file, cost: 1)
  }

  /// A file gave its picture after all.
  mutating func recordSuccess(of file: FileIdentity) {
    if records.count > 0 { records.remove(file) }
  }
}
