import Geometry

/// One entry of a list, with what of it makes sense.
struct ManifestEntry: Decodable {
  private enum Key: CodingKey { case id, url, title, width, height, date, likes }

  /// Whether it is an object at all.
  private(set) var isObject = false
  private(set) var id: String?
  private(set) var address: String?
  private(set) var title: String?
  private(set) var size: PixelSize?
  private(set) var captureTime: Int64?
  private(set) var likes: Int?
  /// What of it makes no sense.
  private(set) var flaws: [Manifest.Flaw] = []

  init(from decoder: any Decoder) {
    guard let fields = try? decoder.container(keyedBy: Key.self) else { return }
    isObject = true
    func text(_ key: Key) -> String? { try? fields.decode(String.self, forKey: key) }
    func number(_ key: Key) -> Int? {
      if let number = try? fields.decode(Int.self, forKey: key) { return number }
      return (try? fields.decode(Double.self, forKey: key)).flatMap { Int(exactly: $0) }
    }
    func isThere(_ key: Key) -> Bool { fields.contains(key) && (try? fields.decodeNil(forKey: key)) == false }
    address = text(.url)
    id = text(.id) ?? number(.id).map(String.init)
    title = text(.title)
    if isThere(.width) || isThere(.height) {
      size = number(.width).flatMap { width in
        number(.height).flatMap { PixelSize(width: width, height: $0) }
      }
      if size == nil { flaws.append(.badSize) }
    }
    if isThere(.date) {
      captureTime = text(.date).flatMap(ManifestDate.seconds) ?? number(.date).flatMap(ManifestDate.seconds)
      if captureTime == nil { flaws.append(.badDate) }
    }
    if isThere(.likes) {
      likes = number(.likes).flatMap { $0 >= 0 ? $0 : nil }
      if likes == nil { flaws.append(.badLikes) }
    }
  }
}
