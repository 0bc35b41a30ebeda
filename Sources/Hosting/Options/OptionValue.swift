public import VitrineGeometry

/// A namespace for functions that parse option values.
///
/// Each error names the option, the value and the accepted values.
public enum OptionValue {
  /// Parses one of a set of names.
  public static func choice<Choice: CaseIterable & RawRepresentable>(
    _ text: String, of option: String
  ) throws(UsageError) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw UsageError("\(option) \(text): accepted are \(names)")
  }

  /// Parses a number in a range.
  public static func number(
    _ text: String, of option: String, in range: ClosedRange<Double>
  ) throws(UsageError) -> Double {
    if let number = Double(text), number.isFinite, range.contains(number) { return number }
    throw UsageError(
      "\(option) \(text): a number from \(formatted(range.lowerBound)) to \(formatted(range.upperBound)) is accepted")
  }

  /// Parses an integer in a range.
  public static func integer(
    _ text: String, of option: String, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    if let number = Int(text), range.contains(number) { return number }
    throw UsageError("\(option) \(text): a whole number from \(range.lowerBound) to \(range.upperBound) is accepted")
  }

  /// Parses a size in points, such as `1280x800`.
  public static func size(_ text: String, of option: String) throws(UsageError) -> Size {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard sides.count == 2, (16...16_384).contains(sides[0]), (16...16_384).contains(sides[1]) else {
      throw UsageError("\(option) \(text): WIDTHxHEIGHT in points is accepted, each from 16 to 16384, such as 1280x800")
    }
    return Size(width: Double(sides[0]), height: Double(sides[1]))
  }

  /// Parses a nonempty path.
  public static func path(_ text: String, of option: String) throws(UsageError) -> String {
    guard !text.isEmpty else { throw UsageError("\(option): the path is empty") }
    guard !text.hasPrefix("--") else {
      throw UsageError("\(option) \(text): that is an option; give a path, such as ./\(text)")
    }
    return text
  }

  private static func formatted(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }
}

/// The requested clock of a run.
public enum ClockChoice: String, CaseIterable, Sendable {
  /// `vsync` or `timer` in a window, by measurement; `timer` in a headless run.
  case auto
  /// Presenting blocks until the display's refresh.
  case vsync
  /// A refresh grid of the program's own, with absolute sleeps.
  case timer
  /// A simulation that counts only modelled costs.
  case virtual
  /// A simulation that counts modelled costs and the main thread's processor time.
  case cpu

  /// Whether the clock is a simulation.
  ///
  /// The virtual clock is equal on all machines.
  public var isSimulated: Bool { self == .virtual || self == .cpu }
}

/// The requested renderer of a run.
public enum RendererChoice: String, CaseIterable, Sendable {
  /// OpenGL on graphics hardware, SDL textures in a headless run, and painting in memory in a window without hardware.
  case auto
  /// SDL textures, drawn by SDL's software renderer.
  case sdl
  /// Painting in memory by this package.
  case memory
  /// OpenGL, on hardware or in software.
  case opengl
  /// OpenGL ES 2, on hardware or in software.
  case opengles2
  /// An alias of ``memory`` in a window and of ``sdl`` in a headless run.
  case software
}

/// An error in the command line.
///
/// Its single line states what is accepted.
public struct UsageError: Error, Hashable, CustomStringConvertible {
  /// The message, without the program's name.
  public let description: String

  /// Creates an error with a message.
  public nonisolated init(_ description: String) { self.description = description }

  /// Creates an error for an option whose file cannot be written.
  public nonisolated init(unwritable path: String, of option: String, _ error: OutputError) {
    description = "\(option) \(path): \(error); give a path in a folder that you may write to"
  }
}
