/// The options of a program: the one table that parses the command line and writes the help.
public struct OptionTable<Settings> {
  /// The options in the order of the help.
  public let options: [CommandOption<Settings>]

  /// Makes a table.
  public init(_ options: [CommandOption<Settings>]) { self.options = options }

  /// What a command line comes to.
  public struct Parsed {
    /// The settings, as the options left them.
    public var settings: Settings
    /// What is no option, byte for byte: a path need not be UTF-8.
    public var operands: [[UInt8]]
    /// The options as they were given, in their order.
    public var parsedOptions: [ParsedOption] = []
  }

  /// Reads arguments, the program's name left out.
  ///
  /// `--name value` and `--name=value` mean the same; everything after `--` is an operand.
  /// - Throws: ``UsageError`` naming the first argument that is not understood.
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
      // Repaired, it would name another file.
      guard let text = String(validating: value, as: UTF8.self) else {
        throw UsageError("\(name): its value is not UTF-8; text in UTF-8 is accepted")
      }
      try option.apply(&parsed.settings, text)
      parsed.parsedOptions.append(ParsedOption(name, text))
    }
    return parsed
  }

  /// Finds an option that hands the command line over to another program, and all that is handed over.
  ///
  /// To be asked before ``parse(_:into:)``: the other options may be the other program's, and are not looked at, but that
  /// those of this table have their values.
  ///
  /// - Parameters:
  ///   - name: the option's name.
  ///   - arguments: the command line, the program's name left out.
  /// - Returns: the settings as the option left them, and the other arguments as they stand; nothing where the option is not
  ///   given.
  /// - Throws: ``UsageError`` where it has no value, or one that it does not take, or is given twice.
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
        // The value of an option that is known is none, whatever it looks like.
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

  /// The help: one paragraph an option, wrapped to a width.
  public func help(usage: String, summary: String, notes: [String] = [], columns: Int = 80) -> String {
    let width = max(40, min(columns, 100))
    let heads = options.map { $0.name + ($0.placeholder.map { " " + $0 } ?? "") }
    let indent = min((heads.map(\.count).max() ?? 0) + 4, 28)
    var lines = ["usage: " + usage, ""]
    lines += wrapped(summary, width: width, indent: 0)
    lines.append("")
    for (head, option) in zip(heads, options) {
      let body = wrapped(option.help, width: width, indent: indent)
      let start = "  " + head
      if start.count + 2 <= indent, let first = body.first {
        lines.append(start + first.dropFirst(start.count))
        lines += body.dropFirst()
      } else {
        lines.append(start)
        lines += body
      }
    }
    for note in notes {
      lines.append("")
      lines += wrapped(note, width: width, indent: 0)
    }
    return lines.joined(separator: "\n") + "\n"
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
