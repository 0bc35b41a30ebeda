import ImageMetadata

/// A parser of the text of a ``PhotoQuery``.
struct PhotoQueryParser {
  /// A word of the text.
  private struct Word {
    /// The word as typed, with its sign and quotation marks.
    var text: String
    /// The word without them.
    var value: String
    var isExclusion = false
    /// Whether a part of the word was in quotation marks, so that it is only looked for.
    var isQuoted = false
    /// The name before the colon, in lowercase.
    var field: String?
  }

  private let words: [Word]
  private var position = 0

  /// Creates a parser of a text.
  ///
  /// Control characters count as spaces.
  init(_ text: String) {
    var words: [Word] = []
    var word = Word(text: "", value: "")
    var isInQuotes = false
    func isSpace(_ character: Character) -> Bool {
      character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    func end() {
      if !word.value.isEmpty { words.append(word) }
      word = Word(text: "", value: "")
    }
    for character in text.prefix(PhotoQuery.maximumLength) {
      if !isInQuotes, isSpace(character) {
        end()
        continue
      }
      if word.text.isEmpty, character == "-" {
        word.isExclusion = true
      } else if character == "\"" {
        isInQuotes.toggle()
        word.isQuoted = true
      } else if character == ":", word.field == nil, !isInQuotes, !word.isQuoted,
        PhotoQueryParser.fields.contains(word.value.lowercased())
      {
        word.field = word.value.lowercased()
        word.value = ""
      } else {
        word.value.append(isSpace(character) ? " " : character)
      }
      word.text.append(isSpace(character) ? " " : character)
    }
    // A quotation that is still being typed ends with the text.
    if isInQuotes { word.text.append("\"") }
    end()
    self.words = words
  }

  private static let fields: Set<String> = [
    "name", "folder", "in", "camera", "date", "format", "type", "size", "rating", "is", "orientation",
  ]

  /// Parses the text.
  mutating func parse() -> [PhotoQuery.Condition] {
    var conditions: [PhotoQuery.Condition] = []
    while position < words.count, conditions.count < PhotoQuery.maximumConditionCount {
      let start = position
      let condition = nextCondition()
      if !conditions.contains(condition) { conditions.append(condition) }
      position = max(position, start + 1)
    }
    return conditions
  }

  private mutating func nextCondition() -> PhotoQuery.Condition {
    let word = words[position]
    position += 1
    if let field = word.field { return condition(of: word, in: field) ?? textCondition(word) }
    guard !word.isQuoted else { return textCondition(word) }
    if let (month, text) = monthAndYear(startingWith: word) {
      return PhotoQuery.Condition(
        text: text, title: "Date: \(month.name)", isExclusion: word.isExclusion, tests: [.date(month.seconds)])
    }
    return bareCondition(word)
  }

  // MARK: - Words without a field

  /// Returns the month of two words such as `July 2019` or `2019 July`, and skips the second one.
  private mutating func monthAndYear(startingWith word: Word) -> (month: CalendarMonth, text: String)? {
    guard position < words.count else { return nil }
    let next = words[position]
    guard next.field == nil, !next.isQuoted, !next.isExclusion else { return nil }
    let month = QueryDate.month(named: word.value) ?? QueryDate.month(named: next.value)
    let year = QueryDate.year(word.value) ?? QueryDate.year(next.value)
    guard let month, let year else { return nil }
    position += 1
    return (CalendarMonth(year: year, month: month), "\(word.text) \(next.text)")
  }

  private func bareCondition(_ word: Word) -> PhotoQuery.Condition {
    let value = word.value
    if let test = PhotoQueryParser.stars(value) ?? PhotoQueryParser.amount(value, needsComparison: true) {
      return condition(word, "\(PhotoQueryParser.title(of: test)): \(value)", [test])
    }
    // The text may just as well be part of a name.
    let text = PhotoTest.text(SearchText(value), .all)
    if let period = QueryDate.period(value) {
      return condition(word, "Date: \(value)", [.date(period), text])
    }
    if let month = QueryDate.month(named: value) {
      return condition(word, "Date: \(CalendarMonth.names[month - 1])", [.monthOfYear(month), text])
    }
    if let format = PhotoQueryParser.format(named: value) {
      return condition(word, "Format: \(format.name)", [.format(format), text])
    }
    if let shape = PhotoTest.Shape(rawValue: value.lowercased()) {
      return condition(word, "Shape: \(shape.rawValue)", [.shape(shape), text])
    }
    return textCondition(word)
  }

  private func textCondition(_ word: Word) -> PhotoQuery.Condition {
    // A field whose value states nothing is part of the text.
    let value = word.field.map { "\($0):\(word.value)" } ?? word.value
    return condition(word, value, [.text(SearchText(value), .all)])
  }

  private func condition(_ word: Word, _ title: String, _ tests: [PhotoTest]) -> PhotoQuery.Condition {
    PhotoQuery.Condition(
      text: word.text, title: word.isExclusion ? "Not \(title)" : title, isExclusion: word.isExclusion, tests: tests)
  }

  // MARK: - Words with a field

  private func condition(of word: Word, in field: String) -> PhotoQuery.Condition? {
    let value = word.value
    switch field {
    case "name": return condition(word, "Name: \(value)", [.text(SearchText(value), .name)])
    case "folder", "in": return condition(word, "Folder: \(value)", [.text(SearchText(value), .folder)])
    case "camera": return condition(word, "Camera: \(value)", [.text(SearchText(value), .camera)])
    case "date":
      if let month = QueryDate.month(named: value) {
        return condition(word, "Date: \(CalendarMonth.names[month - 1])", [.monthOfYear(month)])
      }
      return QueryDate.range(value).map { condition(word, "Date: \(value)", [.date($0)]) }
    case "format", "type":
      return PhotoQueryParser.format(named: value).map { condition(word, "Format: \($0.name)", [.format($0)]) }
    case "size":
      return PhotoQueryParser.amount(value, needsComparison: false).map {
        condition(word, "\(PhotoQueryParser.title(of: $0)): \(value)", [$0])
      }
    case "rating":
      return PhotoQueryParser.rating(value).map { condition(word, "Rating: \(value)", [$0]) }
    default:
      return PhotoTest.Shape(rawValue: value.lowercased()).map {
        condition(word, "Shape: \($0.rawValue)", [.shape($0)])
      }
    }
  }

  // MARK: - Values

  private static func title(of test: PhotoTest) -> String {
    switch test {
    case .pixelCount: "Pixels"
    case .rating: "Rating"
    default: "Size"
    }
  }

  private static func format(named name: String) -> ImageFormat? {
    let name = name.lowercased()
    return ImageFormat.allCases.first {
      $0.name.lowercased() == name || $0.entry.fileExtensions.contains(name)
    }
  }

  /// Returns the test of a word of one to five stars.
  private static func stars(_ word: String) -> PhotoTest? {
    guard (1...5).contains(word.count), word.allSatisfy({ $0 == "*" || $0 == "★" }) else { return nil }
    return .rating(word.count...5)
  }

  private static func rating(_ text: String) -> PhotoTest? {
    if let stars = stars(text) { return stars }
    return range(text) { Int64($0) }.flatMap { range in
      guard range.overlaps(0...5) else { return nil }
      let range = range.clamped(to: 0...5)
      return .rating(Int(range.lowerBound)...Int(range.upperBound))
    }
  }

  /// Returns the test of a size such as `>5MB`, `1MB..5MB` or `>12MP`.
  ///
  /// - Parameter needsComparison: Whether a size alone, such as `5MB`, is none.
  private static func amount(_ text: String, needsComparison: Bool) -> PhotoTest? {
    if needsComparison, !text.contains(".."), text.first.map({ "<>=".contains($0) }) != true { return nil }
    if let pixels = range(text, number: { number($0, units: ["mp": 1_000_000, "px": 1]) }) {
      return .pixelCount(pixels)
    }
    let units: [String: Int64] = [
      "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "k": 1_000, "m": 1_000_000,
    ]
    return range(text, number: { number($0, units: units) }).map { .byteCount($0) }
  }

  private static func number(_ text: Substring, units: [String: Int64]) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let unit = units[text.dropFirst(digits.count).lowercased()], let value = Double(digits), value >= 0,
      value * Double(unit) < 1e18
    else { return nil }
    return Int64(value * Double(unit))
  }

  /// Parses a comparison (`>x`, `>=x`, `<x`, `<=x`, `=x`), a range (`x..y`) or a number.
  private static func range(_ text: String, number: (Substring) -> Int64?) -> ClosedRange<Int64>? {
    if let dots = text.range(of: "..") {
      guard let low = number(text[..<dots.lowerBound]), let high = number(text[dots.upperBound...]) else { return nil }
      return min(low, high)...max(low, high)
    }
    for (sign, limits) in [(">=", (0, nil)), ("<=", (nil, 0)), (">", (1, nil)), ("<", (nil, -1)), ("=", (0, 0))]
      as [(String, (Int64?, Int64?))] where text.hasPrefix(sign)
    {
      guard let value = number(text.dropFirst(sign.count)) else { return nil }
      let (low, lowOverflows) = limits.0.map(value.addingReportingOverflow) ?? (0, false)
      let (high, highOverflows) = limits.1.map(value.addingReportingOverflow) ?? (.max, false)
      return low <= high && !lowOverflows && !highOverflows ? low...high : nil
    }
    return number(text[...]).map { $0...$0 }
  }
}

// MARK: - Dates

/// The dates in the text of a query.
enum QueryDate {
  /// The years that a number of four digits may be: those of photography.
  private static let years = 1_826...2_199

  /// Returns the year that a word names, or nil.
  static func year(_ word: some StringProtocol) -> Int? {
    guard word.utf8.count == 4, let year = Int(word), years.contains(year) else { return nil }
    return year
  }

  /// Returns the month that a word names by its name or at least its first three letters, 1 to 12, or nil.
  static func month(named word: String) -> Int? {
    let word = word.lowercased()
    guard word.utf8.count >= 3 else { return nil }
    return CalendarMonth.names.firstIndex { $0.lowercased().hasPrefix(word) }.map { $0 + 1 }
  }

  /// Returns the seconds of a year, a month or a day, such as `2019`, `2019-07` or `2019-07-14`, or nil.
  static func period(_ word: some StringProtocol) -> Range<Int64>? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let year = year(parts[0]) else { return nil }
    guard parts.count > 1 else {
      return CalendarMonth(year: year, month: 1).startSeconds..<CalendarMonth(year: year + 1, month: 1).startSeconds
    }
    guard parts[1].utf8.count <= 2, let month = Int(parts[1]), (1...12).contains(month) else { return nil }
    let start = CalendarMonth(year: year, month: month)
    guard parts.count > 2 else { return start.seconds }
    guard parts[2].utf8.count <= 2, let day = Int(parts[2]), let days = start.daysSince1970(toDay: day) else {
      return nil
    }
    return days * 86_400..<(days + 1) * 86_400
  }

  /// Returns the seconds of a period, a range such as `2017..2019`, or a comparison such as `>=2019-07`, or nil.
  static func range(_ text: String) -> Range<Int64>? {
    if let dots = text.range(of: "..") {
      guard let low = period(text[..<dots.lowerBound]), let high = period(text[dots.upperBound...]) else { return nil }
      return min(low.lowerBound, high.lowerBound)..<max(low.upperBound, high.upperBound)
    }
    func operand(of sign: String) -> Range<Int64>? {
      text.hasPrefix(sign) ? period(text.dropFirst(sign.count)) : nil
    }
    if let period = operand(of: ">=") { return period.lowerBound..<(.max) }
    if let period = operand(of: "<=") { return .min..<period.upperBound }
    if let period = operand(of: ">") { return period.upperBound..<(.max) }
    if let period = operand(of: "<") { return .min..<period.lowerBound }
    return period(text)
  }
}

extension String {
  /// Returns the first range of a text, or nil.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
