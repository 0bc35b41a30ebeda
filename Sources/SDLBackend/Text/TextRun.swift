import Rendering

/// A stretch of a line that is shaped as one.
package struct TextRun: Hashable {
  /// How a stretch is laid out.
  package enum Kind: Hashable {
    /// From left to right, by the rules of the script given.
    case leftToRight(script: String)
    /// From right to left, by the rules of the script given.
    case rightToLeft(script: String)
    /// Digits of one width each.
    case digits
  }

  /// How it is laid out.
  package let kind: Kind
  /// What is laid out.
  package let text: String

  /// A line of ASCII and signs that go with it, as one run.
  static func plain(_ line: String) -> TextRun {
    TextRun(kind: .leftToRight(script: Kind.commonScript), text: line)
  }

  /// Cuts a line into runs, whose texts in order are the line.
  ///
  /// The line itself goes from left to right; words from right to left, with the spaces and points between them, keep
  /// together. That is less than Unicode's bidirectional algorithm and enough for names of files.
  /// - Complexity: O(scalars).
  package static func runs(of line: String, hasMonospacedDigits: Bool) -> [TextRun] {
    if !hasMonospacedDigits, !line.isEmpty, line.utf8.allSatisfy({ $0 < 0x80 }) {
      return [plain(line)]
    }
    let scalars = Array(line.unicodeScalars)
    let asked = scalars.map { Kind($0, hasMonospacedDigits: hasMonospacedDigits) }
    let kinds = Kind.resolvedKinds(asked)
    var runs: [TextRun] = []
    var start = 0
    for end in 1..<max(1, scalars.count + 1) where end == scalars.count || kinds[end] != kinds[start] {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[start..<end])
      if !text.isEmpty { runs.append(TextRun(kind: kinds[start], text: String(text))) }
      start = end
    }
    return runs
  }
}

extension TextRun.Kind {
  /// The script of text that has no letters: any rules do.
  nonisolated static let commonScript = "Latn"

  /// What a scalar asks for by itself, or nothing where it goes with its neighbours.
  init?(_ scalar: Unicode.Scalar, hasMonospacedDigits: Bool) {
    if hasMonospacedDigits, ("0"..."9").contains(scalar) {
      self = .digits
    } else if let system = WritingSystem.system(for: scalar), system.tag != "Zsym" {
      self = system.isRightToLeft ? .rightToLeft(script: system.tag) : .leftToRight(script: system.tag)
    } else if scalar.properties.isAlphabetic {
      self = .leftToRight(script: TextRun.Kind.scriptTag(of: scalar))
    } else {
      return nil
    }
  }

  /// Gives neutral scalars a kind: that of the neighbours where both have the same, else that of the one from left to
  /// right, the one before if both are.
  fileprivate static func resolvedKinds(_ asked: [TextRun.Kind?]) -> [TextRun.Kind] {
    var following = asked
    for index in asked.indices.reversed().dropFirst() where following[index] == nil {
      following[index] = following[index + 1]
    }
    var preceding: TextRun.Kind?
    return asked.indices.map { index in
      if let own = asked[index] {
        preceding = own
        return own
      }
      if let preceding, preceding == following[index], preceding != .digits { return preceding }
      for case .leftToRight(let script)? in [preceding, following[index]] { return .leftToRight(script: script) }
      return .leftToRight(script: commonScript)
    }
  }

  private static func scriptTag(of scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x0370...0x03FF, 0x1F00...0x1FFF: "Grek"
    case 0x0400...0x052F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: "Cyrl"
    default: commonScript
    }
  }
}
