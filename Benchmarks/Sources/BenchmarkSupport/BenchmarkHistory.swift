internal import FoundationEssentials

/// Earlier runs, oldest first, stored as one line of JSON each.
public struct BenchmarkHistory: Hashable, Sendable {
  /// The runs, oldest first.
  public let runs: [BenchmarkRun]
  /// The number of lines that cannot be parsed, such as an incomplete last line.
  public let unreadLines: Int

  /// Creates a history of runs.
  public init(_ runs: [BenchmarkRun] = []) { (self.runs, unreadLines) = (runs, 0) }

  /// Parses the text of a file.
  ///
  /// - Complexity: O(c) for c characters.
  public init(_ text: String) {
    let lines = text.split(separator: "\n")
    runs = lines.compactMap { BenchmarkRun(line: $0) }
    unreadLines = lines.count - runs.count
  }

  /// Reads a file.
  ///
  /// A missing file is an empty history.
  ///
  /// - Throws: ``ResultError`` if the file exists but cannot be read.
  public static func read(_ path: String) throws(ResultError) -> BenchmarkHistory {
    BenchmarkHistory(try ResultFile.text(of: path) ?? "")
  }

  /// Returns a figure's value in the most recent run that has it.
  public func last(_ name: String) -> Double? { runs.last { $0.figures[name] != nil }?.figures[name] }

  /// Returns the statistics of a figure over the most recent runs on the same machine and of the same kind, or nil if
  /// there are none.
  ///
  /// - Parameters:
  ///   - name: The figure's name.
  ///   - run: The run to compare with.
  ///   - count: The maximum number of runs to consider.
  public func statistics(of name: String, like run: BenchmarkRun, last count: Int) -> HistoryStatistics? {
    HistoryStatistics(runs.filter { $0.isComparable(to: run) }.compactMap { $0.figures[name] }.suffix(count))
  }
}

/// The median, the range and the number of several readings of a figure.
public struct HistoryStatistics: Hashable, Sendable {
  /// The median: the middle reading, or the mean of the two middle ones if their number is even.
  public let median: Double
  /// The smallest reading.
  public let least: Double
  /// The largest reading.
  public let most: Double
  /// The number of readings.
  public let count: Int

  /// Computes the statistics of readings, or returns nil if there are none.
  ///
  /// - Complexity: O(n log n).
  public init?(_ readings: some Sequence<Double>) {
    let sorted = readings.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    let middle = sorted.count / 2
    median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    (self.least, self.most, count) = (least, most, sorted.count)
  }

  /// The range relative to the median, or 0 if all readings are equal.
  public var spread: Double { most == least ? 0 : median == 0 ? .infinity : (most - least) / abs(median) }

  /// Returns whether the ranges of two sets of readings overlap.
  public func overlaps(_ other: HistoryStatistics) -> Bool { least <= other.most && other.least <= most }
}

/// One run of the benchmarks, stored as a line of the history.
public struct BenchmarkRun: Hashable, Codable, Sendable {
  /// The Git revision, with the suffix `-dirty` if the working tree had changes.
  public let revision: String
  /// The date in ISO 8601 format.
  public let date: String
  /// The machine on which the benchmarks ran.
  public let machine: BenchmarkMachine
  /// The compiler that built the programs.
  public let toolchain: String
  /// Whether it was a quick run, whose figures are based on fewer repetitions.
  public let isQuick: Bool
  /// The values by figure name.
  public var figures: [String: Double]

  private enum CodingKeys: String, CodingKey {
    case revision, date, machine, toolchain, figures
    case isQuick = "quick"
  }

  /// Creates a run.
  public init(
    revision: String, date: String, machine: BenchmarkMachine, toolchain: String, isQuick: Bool,
    figures: [String: Double] = [:]
  ) {
    (self.revision, self.date, self.machine, self.toolchain) = (revision, date, machine, toolchain)
    (self.isQuick, self.figures) = (isQuick, figures)
  }

  /// Parses a line, or returns nil if it is not a run.
  public init?(line: some StringProtocol) {
    guard let run = try? JSONDecoder().decode(BenchmarkRun.self, from: Data(line.utf8)) else { return nil }
    self = run
  }

  /// Returns the line without the newline.
  ///
  /// Equal runs produce equal lines.
  ///
  /// - Throws: ``ResultError``.
  public func line() throws(ResultError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return String(decoding: try encoder.encode(self), as: UTF8.self) } catch {
      throw ResultError("a line of a history", error)
    }
  }

  /// A one-line description of the run.
  public var title: String {
    "\(revision), \(date), \(machine.processor) with \(machine.cores) cores, \(toolchain)" + (isQuick ? ", quick" : "")
  }

  /// Returns whether the times of another run are comparable with the times of this one.
  func isComparable(to other: BenchmarkRun) -> Bool { machine == other.machine && isQuick == other.isQuick }
}

/// The properties of a machine that affect measured times.
public struct BenchmarkMachine: Hashable, Codable, Sendable {
  /// The processor's name.
  public let processor: String
  /// The number of processor cores available to the program.
  public let cores: Int

  /// Creates a machine.
  public init(processor: String, cores: Int) { (self.processor, self.cores) = (processor, cores) }

  /// Parses the text of `/proc/cpuinfo`.
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - cores: The number of processor cores available to the program.
  public init(cpuinfo text: String, cores: Int) {
    // 64-bit ARM kernels list part numbers instead of a name.
    let names = ["model name", "Model", "CPU part"]
    let lines = text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1).map(BenchmarkMachine.trimmed) }
    let name = names.lazy.compactMap { name in lines.first { $0.count == 2 && $0[0] == name }?[1] }.first
    self.init(processor: name ?? "unknown", cores: cores)
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
