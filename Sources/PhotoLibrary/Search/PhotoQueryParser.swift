import VitrineImageMetadata

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
    for character in PhotoQueryParser.prefix(of: text) {
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

  /// Returns the beginning of a text that a query uses.
  ///
  /// A single character may have any number of bytes.
  private static func prefix(of text: String) -> String {
    guard text.utf8.count > PhotoQuery.maximumLength else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: PhotoQuery.maximumLength)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text.unicodeScalars[..<end])
  }

  private static let fields: Set<String> = [
    "name", "folder", "in", "camera", "date", "format", "type", "size", "rating", "has", "is",
    "orientation",
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
        text: text, title: word.isExclusion ? "Not \(month.name)" : month.name, isExclusion: word.isExclusion,
        tests: [.property(.date(month.seconds))])
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
    if let amount = QueryAmount(stars: value) ?? QueryAmount(comparison: value) { return condition(word, amount) }
    // The text may just as well be part of a name.
    let text = PhotoTest.text(SearchText(value), .all)
    if let period = QueryDate.period(value) {
      return condition(word, QueryDate.title(of: value), [.property(.date(period)), text])
    }
    if let month = QueryDate.month(named: value) {
      return condition(word, CalendarMonth.names[month - 1], [.property(.monthOfYear(month)), text])
    }
    if let format = PhotoQueryParser.format(named: value) {
      return condition(word, format.name, [.property(.format(format)), text])
    }
    if let shape = PropertyTest.Shape(named: value) {
      return condition(word, shape.rawValue, [.property(.shape(shape)), text])
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
        return condition(word, CalendarMonth.names[month - 1], [.property(.monthOfYear(month))])
      }
      return QueryDate.range(value).map { condition(word, QueryDate.title(of: value), [.property(.date($0))]) }
    case "format", "type":
      return PhotoQueryParser.format(named: value).map { condition(word, $0.name, [.property(.format($0))]) }
    case "size": return QueryAmount(size: value).map { condition(word, $0) }
    case "has":
      guard ["place", "location"].contains(value.lowercased()) else { return nil }
      return condition(word, "with a place", [.property(.hasLocation)])
    case "rating": return QueryAmount(rating: value).map { condition(word, $0) }
    default:
      return PropertyTest.Shape(named: value).map {
        condition(word, $0.rawValue, [.property(.shape($0))])
      }
    }
  }

  private func condition(_ word: Word, _ amount: QueryAmount) -> PhotoQuery.Condition {
    condition(word, amount.title, [.property(amount.test)])
  }

  private static func format(named name: String) -> ImageFormat? {
    let name = name.lowercased()
    return ImageFormat.allCases.first {
      $0.name.lowercased() == name || $0.entry.fileExtensions.contains(name)
    }
  }
}

// MARK: - Amounts

/// A size, a number of pixels or a rating in the text of a query, and its title.
struct QueryAmount {
  /// The test of the amount.
  let test: PropertyTest
  /// The title, such as `> 5 MB` or `★ 4 or more`.
  let title: String

  /// Creates the amount of a word of one to five stars, or returns nil for another word.
  init?(stars word: String) {
    guard (1...5).contains(word.count), word.allSatisfy({ $0 == "*" || $0 == "★" }) else { return nil }
    self.init(rating: word.count...5)
  }

  /// Creates the amount of a word such as `>5MB` or `1MB..5MB`, or returns nil for another word or for a size alone.
  init?(comparison word: String) {
    guard word.contains("..") || word.first.map({ "<>=".contains($0) }) == true else { return nil }
    self.init(size: word)
  }

  /// Creates the amount of a size such as `>5MB`, `1MB..5MB` or `>12MP`, or returns nil for another text.
  init?(size text: String) {
    title = QueryAmount.spaced(text)
    if let pixels = QueryAmount.range(text, number: { QueryAmount.number($0, units: ["mp": 1_000_000, "px": 1]) }) {
      test = .pixelCount(pixels)
      return
    }
    let units: [String: Int64] = [
      "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "k": 1_000, "m": 1_000_000,
    ]
    guard let bytes = QueryAmount.range(text, number: { QueryAmount.number($0, units: units) }) else { return nil }
    test = .byteCount(bytes)
  }

  /// Creates the amount of a rating such as `4`, `>=3` or `***`, or returns nil for another text.
  init?(rating text: String) {
    if let stars = QueryAmount(stars: text) {
      self = stars
      return
    }
    guard let range = QueryAmount.range(text, number: { Int64($0) }), range.overlaps(0...5) else { return nil }
    let rating = range.clamped(to: 0...5)
    self.init(rating: Int(rating.lowerBound)...Int(rating.upperBound))
  }

  private init(rating: ClosedRange<Int>) {
    test = .rating(rating)
    let (low, high) = (rating.lowerBound, rating.upperBound)
    switch (low, high) {
    case (_, 0): title = "no rating"
    case (high, _): title = "★ \(low)"
    case (_, 5): title = "★ \(low) or more"
    case (0, _): title = "★ \(high) or less"
    default: title = "★ \(low) to \(high)"
    }
  }

  /// Returns a comparison or a range with spaces between its parts and uppercase units.
  private static func spaced(_ text: String) -> String {
    var spaced = ""
    var last: Character?
    for character in text.uppercased() {
      let isDigit = character.isNumber || character == "."
      let lastIsDigit = last.map { $0.isNumber || $0 == "." } ?? isDigit
      if isDigit != lastIsDigit { spaced += " " }
      spaced.append(character)
      last = character
    }
    if let dots = spaced.firstRange(of: "..") { spaced.replaceSubrange(dots, with: "to ") }
    for (sign, symbol) in [(">=", "≥"), ("<=", "≤")] where spaced.hasPrefix(sign) {
      spaced.replaceSubrange(spaced.startIndex..<spaced.index(spaced.startIndex, offsetBy: 2), with: symbol)
    }
    return spaced
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

  /// Returns the title of a period, a range or a comparison, such as `July 2019`, `14 July 2019`, `2017 to 2019` or
  /// `≥ 2019`.
  static func title(of text: String) -> String {
    if let dots = text.range(of: "..") {
      return "\(title(of: String(text[..<dots.lowerBound]))) to \(title(of: String(text[dots.upperBound...])))"
    }
    for (sign, symbol) in [(">=", "≥"), ("<=", "≤"), (">", ">"), ("<", "<")] where text.hasPrefix(sign) {
      return "\(symbol) \(title(of: String(text.dropFirst(sign.count))))"
    }
    let parts = text.split(separator: "-")
    guard parts.count > 1, let start = period(text)?.lowerBound else { return text }
    let moment = CalendarMoment(secondsSince1970: start)
    return parts.count > 2 ? "\(moment.day) \(moment.month.name)" : moment.month.name
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
