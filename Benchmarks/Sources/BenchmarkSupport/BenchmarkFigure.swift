internal import FoundationEssentials
import Glibc

/// A named number that a benchmark measured.
public struct BenchmarkFigure: Hashable, Codable, Sendable {
  /// The name: the benchmark followed by ever narrower words, separated by periods, such as
  /// `scroll.quiet.1000.instructions`.
  public let name: String
  /// The value.
  public let value: Double
  /// The unit of the value.
  public let unit: FigureUnit
  /// How reproducible the value is.
  public let nature: FigureNature

  /// Creates a figure.
  public init(_ name: String, _ value: Double, _ unit: FigureUnit, _ nature: FigureNature) {
    (self.name, self.value, self.unit, self.nature) = (name, value, unit, nature)
  }

  /// The benchmark that measures the figure, which is the first word of its name.
  public var benchmark: String { BenchmarkFigure.benchmark(of: name) }

  /// The value with its unit, formatted for a table.
  public var text: String { unit.text(value) }

  /// Returns the first word of a name.
  public static func benchmark(of name: String) -> String { String(name.prefix { $0 != "." }) }

  /// Returns a name built from several words.
  ///
  /// Every character that is not an ASCII letter or digit becomes a hyphen.
  public static func name(_ words: [String]) -> String { words.map(word).joined(separator: ".") }

  private static func word(_ text: String) -> String {
    String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}

/// The unit of a figure.
public enum FigureUnit: String, CaseIterable, Codable, Sendable {
  /// Instructions outside the kernel.
  case instructions
  /// Calls of a function: allocations, retains, releases.
  case calls
  /// Opened files.
  case files
  /// Frames.
  case frames
  /// Layout passes.
  case layouts
  /// Bytes.
  case bytes
  /// Nanoseconds.
  case nanoseconds
  /// Refresh intervals of the display.
  case refreshes
  /// The cost relative to another implementation's, or to the cost at a smaller size. Less is better.
  case ratio
  /// The speedup over another implementation, or the factor by which more work is sustained. More is better.
  case speedup
  /// The share of the theoretical optimum.
  case share
  /// The similarity of pixels to a reference, in decibels.
  case decibels

  /// Whether a larger number is better.
  public var isBetterWhenMore: Bool {
    switch self {
    case .speedup, .share, .decibels: true
    case .instructions, .calls, .files, .frames, .layouts, .bytes, .nanoseconds, .refreshes, .ratio: false
    }
  }

  /// Returns a number with this unit, formatted for a table.
  public func text(_ value: Double) -> String {
    switch self {
    case .instructions, .calls, .files, .frames, .layouts: FigureText.count(value)
    case .bytes: value < 10_000 ? FigureText.bytes(value) : FigureText.number(value / 1_048_576) + " MiB"
    case .nanoseconds: FigureText.callTime(value)
    case .refreshes: FigureText.number(value) + " T"
    case .ratio, .speedup, .share: FigureText.ratio(value)
    case .decibels: FigureText.tenths(value) + " dB"
    }
  }
}

/// How reproducible a figure is.
public enum FigureNature: String, CaseIterable, Codable, Sendable {
  /// The figure is counted and repeats within ``tolerance``: instructions under callgrind, allocations, allocator
  /// bytes, and everything that is computed on the virtual clock.
  case counted
  /// The figure relates two measurements of the same run, so that other load on the machine affects both.
  case related
  /// The figure is measured and depends on the machine as much as on the program.
  case measured

  /// The largest relative difference between two runs of a counted figure.
  public static let tolerance = 0.001
}

/// Collects the figures that a benchmark measures, in addition to the tables that it prints.
///
/// A class, because the benchmark programs are values and share it with the types that measure for them.
public final class FigureRecorder {
  /// The figures in the order in which they were added.
  public private(set) var figures: [BenchmarkFigure] = []
  private var names: Set<String> = []

  /// Creates an empty recorder.
  public init() {}

  /// Adds a figure.
  ///
  /// A value that is `nil` or not finite is ignored, and so is a second value of the same name.
  ///
  /// - Parameters:
  ///   - words: The words of the name, starting with the benchmark's.
  ///   - value: The value.
  ///   - unit: The unit of the value.
  ///   - nature: How reproducible the value is.
  public func add(_ words: [String], _ value: Double?, _ unit: FigureUnit, _ nature: FigureNature) {
    guard let value, value.isFinite else { return }
    let name = BenchmarkFigure.name(words)
    guard names.insert(name).inserted else { return }
    figures.append(BenchmarkFigure(name, value, unit, nature))
  }
}

// MARK: - Files

/// The figures of one run of a benchmark, stored as JSON: `{"figures": [{"name", "value", "unit", "nature"}]}`.
public struct FigureDocument: Hashable, Codable, Sendable {
  /// The figures.
  public let figures: [BenchmarkFigure]

  /// Creates a document of figures.
  public init(_ figures: [BenchmarkFigure]) { self.figures = figures }

  /// Parses the text of a document.
  ///
  /// - Throws: ``ResultError`` that names the source.
  public init(_ text: String, from source: String) throws(ResultError) {
    do { self = try JSONDecoder().decode(FigureDocument.self, from: Data(text.utf8)) } catch {
      throw ResultError(source, error)
    }
  }

  /// Reads a file.
  ///
  /// - Throws: ``ResultError`` if there is no such file or it cannot be parsed.
  public static func read(_ path: String) throws(ResultError) -> FigureDocument {
    guard let text = try ResultFile.text(of: path) else { throw ResultError("\(path): there is no such file") }
    return try FigureDocument(text, from: path)
  }

  /// Writes the document to a file.
  ///
  /// - Throws: ``ResultError``.
  public func write(to path: String) throws(ResultError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try ResultFile.write(String(decoding: encoder.encode(self), as: UTF8.self) + "\n", to: path)
    } catch { throw error as? ResultError ?? ResultError(path, error) }
  }
}

/// Functions that read a result file, replace it atomically, or append lines to it.
public enum ResultFile {
  /// Returns the text of a file, or nil if there is no such file.
  ///
  /// - Throws: ``ResultError`` if the file exists but cannot be read.
  public static func text(of path: String) throws(ResultError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(path)
    }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      guard count > 0 else { throw failure(path) }
      text += piece[..<count]
    }
  }

  /// Replaces a file atomically: a concurrent reader gets the old contents or the new ones.
  ///
  /// - Throws: ``ResultError``.
  public static func write(_ text: String, to path: String) throws(ResultError) {
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten = writeAll(text, to: descriptor)
    guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
      let error = failure(path)
      unlink(temporary)
      throw error
    }
  }

  /// Appends a line to a file and creates the file if necessary.
  ///
  /// An incomplete last line stays as it is; the new line starts after it.
  ///
  /// - Throws: ``ResultError``.
  public static func append(line: String, to path: String) throws(ResultError) {
    let isTorn = try text(of: path).map { !$0.isEmpty && !$0.hasSuffix("\n") } ?? false
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten = writeAll((isTorn ? "\n" : "") + line + "\n", to: descriptor)
    guard close(descriptor) == 0, isWritten else { throw failure(path) }
  }

  private static func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return false }
      rest.removeFirst(written)
    }
    return true
  }

  private static func failure(_ path: String) -> ResultError {
    ResultError("\(path): \(String(cString: strerror(errno)))")
  }
}

/// An error for a result file that cannot be read, written or parsed.
public struct ResultError: Error, Hashable, CustomStringConvertible {
  /// A line that names the file and the reason.
  public let description: String

  /// Creates an error with a description.
  public init(_ description: String) { self.description = description }

  /// Creates an error from a JSON decoding error, in one line.
  init(_ source: String, _ error: any Error) {
    guard let error = error as? DecodingError else {
      self.init("\(source): \(error)")
      return
    }
    let context: DecodingError.Context? =
      switch error {
      case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
        .valueNotFound(_, let context):
        context
      @unknown default: nil
      }
    let path = (context?.codingPath ?? []).map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    let reason = context?.debugDescription ?? "\(error)"
    self.init("\(source): " + (path.isEmpty ? reason : "at \(path.joined(separator: ".")): \(reason)"))
  }
}
