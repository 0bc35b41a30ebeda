/// The table of a program's options, which parses the command line and generates the help text.
public struct OptionTable<Settings> {
  /// The options in the order of the help text.
  public let options: [CommandOption<Settings>]

  /// Creates a table.
  public init(_ options: [CommandOption<Settings>]) { self.options = options }

  /// The result of parsing a command line.
  public struct Parsed {
    /// The settings after all options have been applied.
    public var settings: Settings
    /// The operands as bytes, because a path may not be UTF-8.
    public var operands: [[UInt8]]
    /// The options in the order of the command line.
    public var parsedOptions: [ParsedOption] = []
  }

  /// Parses arguments, without the program's name.
  ///
  /// `--name value` and `--name=value` are equivalent. All arguments after `--` are operands.
  ///
  /// - Throws: ``UsageError`` that names the first invalid argument.
  public func parse(_ arguments: [[UInt8]], into settings: Settings) throws(UsageError) -> Parsed {
    var parsed = Parsed(settings: settings, operands: [])
    var index = 0
    while index < arguments.count {
      let bytes = arguments[index]
      index += 1
      guard bytes.starts(with: [0x2D]), bytes.count > 1 else {
        parsed.operands.append(bytes)
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if text == "--" {
        parsed.operands.append(contentsOf: arguments[index...])
        break
      }
      let pieces = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(pieces[0])
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError("unknown option \(name)\(suggestion(for: name)); --help lists them")
      }
      guard let placeholder = option.placeholder else {
        guard pieces.count == 1 else { throw UsageError("\(name) takes no value") }
        try option.apply(&parsed.settings, "")
        parsed.parsedOptions.append(ParsedOption(name))
        continue
      }
      var value = pieces.count == 2 ? bytes.dropFirst(name.utf8.count + 1) : nil
      if value == nil, index < arguments.count {
        value = arguments[index][...]
        index += 1
      }
      guard let value else { throw UsageError("\(name) needs a value: \(name) \(placeholder)") }
      // A repaired string would name a different file.
      guard let text = String(validating: value, as: UTF8.self) else {
        throw UsageError("\(name): its value is not UTF-8; text in UTF-8 is accepted")
      }
      try option.apply(&parsed.settings, text)
      parsed.parsedOptions.append(ParsedOption(name, text))
    }
    return parsed
  }

  /// Extracts an option that delegates the command line to another program, together with the arguments to pass on.
  ///
  /// Call this before ``parse(_:into:)``: the other options may belong to the other program and are not validated,
  /// except that the options of this table are known to have values.
  ///
  /// - Parameters:
  ///   - name: The option's name.
  ///   - arguments: The command line, without the program's name.
  ///   - settings: The default settings.
  /// - Returns: The settings with the option applied and the remaining arguments, or nil if the option is absent.
  /// - Throws: ``UsageError`` if the option has no value or an invalid one, or occurs twice.
  public func extractOption(
    _ name: String, _ arguments: [[UInt8]], into settings: Settings
  ) throws(UsageError) -> (settings: Settings, rest: [[UInt8]])? {
    guard let option = options.first(where: { $0.name == name }), let placeholder = option.placeholder else {
      return nil
    }
    var found: Settings?
    var rest: [[UInt8]] = []
    var index = 0
    while index < arguments.count, arguments[index] != Array("--".utf8) {
      let bytes = arguments[index]
      index += 1
      let isJoined = bytes.starts(with: Array((name + "=").utf8))
      guard isJoined || bytes == Array(name.utf8) else {
        rest.append(bytes)
        // The value of a known option is not an option, even if it looks like one.
        if index < arguments.count, options.contains(where: { $0.placeholder != nil && Array($0.name.utf8) == bytes }) {
          rest.append(arguments[index])
          index += 1
        }
        continue
      }
      guard isJoined || index < arguments.count else {
        throw UsageError("\(name) needs a value: \(name) \(placeholder)")
      }
      let value = isJoined ? bytes.dropFirst(name.utf8.count + 1) : arguments[index][...]
      if !isJoined { index += 1 }
      guard found == nil else { throw UsageError("\(name) is given twice; once is accepted") }
      var settings = settings
      try option.apply(&settings, String(decoding: value, as: UTF8.self))
      found = settings
    }
    return found.map { ($0, rest + arguments[index...]) }
  }

  /// Returns the help text, with one paragraph per option, wrapped to the given width.
  ///
  /// - Parameters:
  ///   - usage: The synopsis.
  ///   - summary: The description of the program.
  ///   - sections: Further tables after the options, each with a title. Default: none.
  ///   - notes: Paragraphs at the end. Default: none.
  ///   - columns: The width in columns, limited to 40 to 100. Default: 80.
  public func help(
    usage: String, summary: String, sections: [(title: String, rows: [HelpRow])] = [], notes: [String] = [],
    columns: Int = 80
  ) -> String {
    let width = max(40, min(columns, 100))
    let rows = options.map { HelpRow($0.name + ($0.placeholder.map { " " + $0 } ?? ""), $0.help) }
    let indent = min((rows.map(\.head.count).max() ?? 0) + 4, 28)
    var lines = ["usage: " + usage, ""]
    lines += wrapped(summary, width: width, indent: 0)
    lines.append("")
    lines += table(rows, width: width, indent: indent)
    for section in sections {
      lines += ["", section.title + ":"]
      lines += table(section.rows, width: width, indent: indent)
    }
    for note in notes {
      lines.append("")
      lines += wrapped(note, width: width, indent: 0)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func table(_ rows: [HelpRow], width: Int, indent: Int) -> [String] {
    var lines: [String] = []
    for row in rows {
      let body = wrapped(row.text, width: width, indent: indent)
      let start = "  " + row.head
      if start.count + 2 <= indent, let first = body.first {
        lines.append(start + first.dropFirst(start.count))
        lines += body.dropFirst()
      } else {
        lines.append(start)
        lines += body
      }
    }
    return lines
  }

  private func wrapped(_ text: String, width: Int, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(margin + line)
    return lines
  }

  private func suggestion(for name: String) -> String {
    let near = options.first { $0.name.hasPrefix(name) || name.hasPrefix($0.name) }
    return near.map { " (did you mean \($0.name)?)" } ?? ""
  }
}

// MARK: - Options

/// A command-line option: its syntax, its help text and its effect on the settings.
public struct CommandOption<Settings> {
  /// The name, including its dashes.
  public let name: String
  /// The placeholder of the argument in the help text, or nil for a switch.
  public let placeholder: String?
  /// The description in the help text.
  public let help: String
  /// Applies the argument, which is empty for a switch, to the settings.
  public let apply: (inout Settings, String) throws(UsageError) -> Void

  /// Creates an option that has an argument.
  public init(
    _ name: String, _ placeholder: String, _ help: String,
    apply: @escaping (inout Settings, String) throws(UsageError) -> Void
  ) {
    self.name = name
    self.placeholder = placeholder
    self.help = help
    self.apply = apply
  }

  /// Creates an option without an argument.
  public init(switch name: String, _ help: String, apply: @escaping (inout Settings) -> Void) {
    self.name = name
    placeholder = nil
    self.help = help
    self.apply = { (settings: inout Settings, _: String) throws(UsageError) in apply(&settings) }
  }

  /// Returns the same option for settings that contain these settings.
  public func scoped<Outer>(to path: WritableKeyPath<Outer, Settings>) -> CommandOption<Outer> {
    let apply = apply
    let body: (inout Outer, String) throws(UsageError) -> Void = {
      (outer: inout Outer, text: String) throws(UsageError) in
      try apply(&outer[keyPath: path], text)
    }
    guard let placeholder else {
      return CommandOption<Outer>(flag: name, help: help, apply: body)
    }
    return CommandOption<Outer>(name, placeholder, help, apply: body)
  }

  private init(flag name: String, help: String, apply: @escaping (inout Settings, String) throws(UsageError) -> Void) {
    self.name = name
    placeholder = nil
    self.help = help
    self.apply = apply
  }
}

/// An option of a parsed command line.
public nonisolated struct ParsedOption: Hashable, Codable, Sendable {
  /// The name, including its dashes.
  public var name: String
  /// The value, or nil for a switch.
  public var value: String?

  /// Creates a parsed option.
  public init(_ name: String, _ value: String? = nil) {
    self.name = name
    self.value = value
  }

  /// The option as a single command-line argument.
  package var argument: String { value.map { "\(name)=\($0)" } ?? name }
}

// MARK: - Modes

/// A mode of operation that one option selects and in which only some other options have an effect.
///
/// An option without effect is rejected, so that no requested file is silently missing.
public struct RunMode: Sendable {
  /// The option that selects the mode.
  public let option: String
  /// What the program does in this mode, such as "prints the version".
  public let purpose: String
  /// The other options that have an effect in this mode.
  public let accepted: Set<String>

  /// Creates a mode.
  public nonisolated init(_ option: String, _ purpose: String, accepting accepted: Set<String> = []) {
    self.option = option
    self.purpose = purpose
    self.accepted = accepted
  }

  /// Rejects the options that have no effect in the mode that the command line selects.
  ///
  /// Without a mode, all options are valid.
  ///
  /// `--help` and `--version` allow any other option, because users append them to unfinished command lines.
  ///
  /// - Parameters:
  ///   - options: The options of the command line.
  ///   - modes: The program's modes. The first mode whose option is present applies.
  /// - Throws: ``UsageError`` that names the option, the mode and the options that are accepted with it.
  public nonisolated static func validate(_ options: [ParsedOption], modes: [RunMode]) throws(UsageError) {
    guard !options.contains(where: { ["--help", "--version"].contains($0.name) }) else { return }
    guard let mode = modes.first(where: { mode in options.contains { $0.name == mode.option } }),
      let other = options.first(where: { $0.name != mode.option && !mode.accepted.contains($0.name) })
    else { return }
    let accepted = mode.accepted.sorted().joined(separator: ", ")
    throw UsageError(
      "\(other.name) cannot be used with \(mode.option), which \(mode.purpose); accepted with it "
        + (accepted.isEmpty ? "is no other option" : "are \(accepted)"))
  }
}

/// A row of the help text: an option or a key, and its effect.
public struct HelpRow: Hashable, Sendable {
  /// The option or the key.
  public let head: String
  /// The effect.
  public let text: String

  /// Creates a row.
  public init(_ head: String, _ text: String) { (self.head, self.text) = (head, text) }
}
