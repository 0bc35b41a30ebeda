import ImagePipeline

/// A list of pictures on the web.
public struct Manifest: Hashable, Sendable {
  /// What is wrong with an entry, or with a part of it.
  public enum Flaw: UInt8, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// It is no object. The entry is left out.
    case notAnObject
    /// It has no address of the web. The entry is left out.
    case noAddress
    /// A public server names an address on this machine or its network. The entry is left out.
    case privateAddress
    /// An entry before it has its name. The entry is left out.
    case duplicate
    /// There are more entries than a list may have. The entry is left out.
    case tooMany
    /// Its width and height are no picture's. The entry stands without.
    case badSize
    /// Its date is none. The entry stands without.
    case badDate
    /// Its number of likes is none. The entry stands without.
    case badLikes

    /// Whether such an entry is left out.
    public var excludesEntry: Bool {
      switch self {
      case .notAnObject, .noAddress, .privateAddress, .duplicate, .tooMany: true
      case .badSize, .badDate, .badLikes: false
      }
    }

    /// A few words, for a line that counts them.
    public var description: String {
      switch self {
      case .notAnObject: "no object"
      case .noAddress: "no web address"
      case .privateAddress: "private address"
      case .duplicate: "named twice"
      case .tooMany: "past the millionth"
      case .badSize: "impossible size"
      case .badDate: "unreadable date"
      case .badLikes: "unreadable likes"
      }
    }
  }

  /// The pictures, in the order of the list.
  public let items: [ManifestItem]
  /// How many entries have which flaw; none of those that no entry has.
  public let flaws: [Flaw: Int]

  /// The most pictures of a list.
  public static let maximumItems = 1_000_000

  /// Makes a list.
  public init(items: [ManifestItem], flaws: [Flaw: Int] = [:]) {
    self.items = items
    self.flaws = flaws
  }

  /// How many entries were left out.
  public var excludedCount: Int { Flaw.allCases.filter(\.excludesEntry).reduce(0) { $0 + (flaws[$1] ?? 0) } }
}

extension Manifest {
  /// A list of one picture, of which nothing but its address is known.
  init(picture url: RemoteURL) {
    let path = url.description.prefix { $0 != "?" }
    self.init(items: [ManifestItem(id: url.text, url: url, title: String(path.split(separator: "/").last ?? ""))])
  }

  /// What is wrong with entries, counted, in a line; nothing where nothing is.
  var flawSummary: String? {
    let counts = Flaw.allCases.compactMap { flaw in flaws[flaw].map { "\($0) \(flaw)" } }
    guard !counts.isEmpty else { return nil }
    return "\(excludedCount) \(excludedCount == 1 ? "entry" : "entries") left out (\(counts.joined(separator: ", ")))"
  }
}
