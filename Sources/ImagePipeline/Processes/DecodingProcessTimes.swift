import CPlatform
import FramePacing
import Synchronization

/// The processor time of the decoding processes that live now, for the thread that draws: read without a lock.
final class DecodingProcessTimes: Sendable {
  /// Where a worker says which process decodes for it.
  final class Entry: Sendable {
    private let process = Atomic<Int32>(0)

    /// Records the process that decodes from now on; nil if there is none.
    func record(_ number: pid_t?) { process.store(number ?? 0, ordering: .relaxed) }

    /// The processor time that the process has used; zero if there is none.
    ///
    /// The C functions are `clock_getcpuclockid` and `clock_gettime`.
    fileprivate var used: FrameDuration {
      let number = process.load(ordering: .relaxed)
      return number == 0 ? .zero : FrameDuration(nanoseconds: max(0, platform_processor_time(number)))
    }
  }

  private let entries: [Entry]

  /// Makes entries for workers numbered from 0.
  init(workers: Int) { entries = (0..<workers).map { _ in Entry() } }

  /// The entry of a worker; nil past the last.
  func entry(of worker: Int) -> Entry? { entries.indices.contains(worker) ? entries[worker] : nil }

  /// The sum over all processes; it falls when one of them ends.
  ///
  /// - Complexity: O(workers), two system calls each; allocates nothing.
  var total: FrameDuration {
    var total = FrameDuration.zero
    for index in entries.indices { total += entries[index].used }
    return total
  }
}
