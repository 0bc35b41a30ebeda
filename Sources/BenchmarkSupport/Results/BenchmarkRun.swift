internal import FoundationEssentials

/// One run of benchmarks, as a line of a history holds it.
public struct BenchmarkRun: Hashable, Codable, Sendable {
  /// What was run: a revision of the tree, with `-dirty` behind it where the tree was changed.
  public let revision: String
  /// When, as ISO 8601 has it.
  public let date: String
  /// On what.
  public let machine: BenchmarkMachine
  /// Built by what.
  public let toolchain: String
  /// Whether it was a quick run, whose figures are of fewer repetitions.
  public let isQuick: Bool
  /// The figures by their names.
  public var figures: [String: Double]

  private enum CodingKeys: String, CodingKey {
    case revision, date, machine, toolchain, figures
    case isQuick = "quick"
  }

  /// Makes a run.
  public init(
    revision: String, date: String, machine: BenchmarkMachine, toolchain: String, isQuick: Bool,
    figures: [String: Double] = [:]
  ) {
    (self.revision, self.date, self.machine, self.toolchain) = (revision, date, machine, toolchain)
    (self.isQuick, self.figures) = (isQuick, figures)
  }

  /// Reads a line; nothing where it is none.
  public init?(line: some StringProtocol) {
    guard let run = try? JSONDecoder().decode(BenchmarkRun.self, from: Data(line.utf8)) else { return nil }
    self = run
  }

  /// The line, without its end: the same one for equal runs.
  ///
  /// - Throws: ``ResultError``.
  public func line() throws(ResultError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return String(decoding: try encoder.encode(self), as: UTF8.self) } catch {
      throw ResultError("a line of a history", error)
    }
  }

  /// Which run it is, in one line.
  public var title: String {
    "\(revision), \(date), \(machine.processor) with \(machine.cores) cores, \(toolchain)" + (isQuick ? ", quick" : "")
  }

  /// Whether times of the other run can be held beside those of this one.
  func isLike(_ other: BenchmarkRun) -> Bool { machine == other.machine && isQuick == other.isQuick }
}
