import DataStructures
import Geometry
import ImageMetadata
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite("Photo queries")
struct PhotoQueryTests {
  /// Returns the names of the photographs that a query finds in ``library``.
  private func find(_ text: String) -> [String] {
    let filter = PhotoFilter(PhotoQuery(text), root: PhotoPath("/home/anna/Pictures"))
    let items = (1...UInt32(library.count)).map(PhotoID.init)
    return (library.found(by: filter, among: items) ?? []).compactMap(library.displayName)
  }

  private let library = PhotoQueryTests.makeLibrary()

  private static func makeLibrary() -> PhotoCatalogue {
    let files: [(folder: String, name: String, bytes: Int64, header: ImageHeader)] = [
      ("2019/Beach", "DSC_0001.JPG", 6_000_000, header(.jpeg, 4_000, 3_000, "2019-07-14", "NIKON D750", 4)),
      ("2019/Beach", "panorama.jpg", 12_000_000, header(.jpeg, 9_000, 3_000, "2019-07-31", "NIKON D750", nil)),
      ("2019", "July plan.png", 90_000, header(.png, 800, 1_200, nil, nil, nil)),
      ("2020", "Über den Wolken.heic", 2_000_000, header(.heic, 3_024, 4_032, "2020-08-01", "Apple iPhone 12", 5)),
      ("2020", "logo-png.gif", 4_000, header(.gif, 64, 64, nil, nil, nil)),
    ]
    var library = PhotoCatalogue()
    library.datesByFile = false
    library.beginScan()
    let root = PhotoPath("/home/anna/Pictures")
    _ = library.apply(
      .found(
        files.enumerated().map { index, file in
          FoundPhoto(
            ordinal: UInt32(index), folder: root.appending(file.folder), name: Array(file.name.utf8),
            identity: FileIdentity(
              device: 1, inode: UInt64(index + 1), byteCount: file.bytes, modificationNanoseconds: 0))
        }))
    _ = library.apply(
      .headers(
        files.enumerated().map { index, file in
          HeaderResult(
            ordinal: UInt32(index),
            identity: FileIdentity(
              device: 1, inode: UInt64(index + 1), byteCount: file.bytes, modificationNanoseconds: 0),
            header: file.header)
        }))
    return library
  }

  private static func header(
    _ format: ImageFormat, _ width: Int, _ height: Int, _ date: String?, _ camera: String?, _ rating: UInt8?
  ) -> ImageHeader {
    var header = ImageHeader(
      format: format, storedSize: PixelSize(width: width, height: height),
      captureTime: date.flatMap { (day: String) in QueryDate.period(day) }.map { $0.lowerBound + 3_600 })
    (header.camera, header.rating) = (camera, rating)
    return header
  }

  @Test(
    "A query finds the photographs that it describes",
    arguments: [
      ("", [0, 1, 2, 3, 4]), ("  \u{7}\n ", [0, 1, 2, 3, 4]),
      // Words are looked for in names, folders below the root, and cameras.
      ("beach", [0, 1]), ("BEACH dsc", [0]), ("nikon", [0, 1]), ("anna", []), ("pictures", []), ("über", [3]),
      ("u\u{308}ber", [3]), ("wolken", [3]), ("\"den wolken\"", [3]), ("\"wolken den\"", []), ("den wolken", [3]),
      ("name:beach", []), ("folder:beach", [0, 1]), ("in:2020", [3, 4]), ("camera:iphone", [3]),
      // Dates, and words that may be dates.
      ("2019", [0, 1, 2]), ("date:2019", [0, 1]), ("2019-07", [0, 1]), ("2019-07-14", [0]), ("2019-7-31", [1]),
      ("July 2019", [0, 1]), ("2019 july", [0, 1]), ("jul", [0, 1, 2]), ("date:jul", [0, 1]), ("July 2020", []),
      ("date:2019..2020", [0, 1, 3]), ("date:>2019-07", [3]), ("date:<=2019-07-14", [0]), ("date:>=2020", [3]),
      ("2019-02-30", []),
      // Formats, sizes, ratings and shapes.
      ("png", [2, 4]), ("format:png", [2]), ("type:jpg", [0, 1]), (">5MB", [0, 1]), ("<100kb", [2, 4]),
      ("size:2MB..7MB", [0, 3]), (">13mp", [1]), ("<=12mp", [0, 2, 4]), ("****", [0, 3]), ("★★★★★", [3]),
      ("rating:4", [0]), ("rating:<1", [1, 2, 4]), ("portrait", [2, 3]), ("is:landscape", [0, 1]), ("square", [4]),
      ("is:panorama", [1]), ("panorama", [1]),
      // Exclusions, and values that state nothing.
      ("-2019", [3, 4]), ("beach -panorama", [0]), ("-format:png", [0, 1, 3, 4]), ("-", [0, 1, 2, 3, 4]),
      ("size:large", []), ("date:soon", []), ("rating:9", []), ("rating:>9223372036854775807", []),
      ("rating:<-9223372036854775808", []), (":", []), ("\"", [0, 1, 2, 3, 4]),
    ] as [(String, [Int])])
  func finds(_ text: String, _ expected: [Int]) {
    let all = (1...UInt32(library.count)).compactMap { library.displayName(of: PhotoID(rawValue: $0)) }
    #expect(find(text) == expected.map { all[$0] })
  }

  @Test("Conditions have titles, and their texts make the same query again")
  func conditions() {
    let query = PhotoQuery(" beach  July 2019 -png \"new year\" >5MB camera:nikon beach")
    #expect(
      query.conditions.map(\.title) == [
        "beach", "Date: July 2019", "Not Format: PNG", "new year", "Size: >5MB", "Camera: nikon",
      ])
    #expect(PhotoQuery(query.conditions.map(\.text).joined(separator: " ")) == query)
    #expect(query.text(removingConditionAt: 1) == "beach -png \"new year\" >5MB camera:nikon")
  }

  @Test("Removing any condition of any text leaves the others", arguments: TestScale.seeds(1...20))
  func removal(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      "a", "2019", "-", "\"", ":", "size:", ">5MB", "..", "date:", " ", "\u{0}", "é", "*", "name:x", "png", "-2",
    ]
    for _ in 0..<50 {
      let text = (0..<Int.random(in: 0..<9, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      let query = PhotoQuery(text)
      for index in query.conditions.indices {
        var others = query.conditions
        others.remove(at: index)
        #expect(PhotoQuery(query.text(removingConditionAt: index)).conditions == others, "\(text)")
      }
    }
  }

  @Test("A megabyte of text makes a query of bounded size")
  func boundedSize() {
    let words = PhotoQuery((0..<200_000).map { "w\($0)" }.joined(separator: " "))
    #expect(words.conditions.count == PhotoQuery.maximumConditionCount)
    let word = PhotoQuery(String(repeating: "x", count: 1 << 20))
    #expect(word.conditions.map(\.text.count) == [PhotoQuery.maximumLength])
  }

  @Test("A search stops when it is no longer wanted")
  func stops() {
    let items = (1...UInt32(library.count)).map(PhotoID.init)
    #expect(library.found(by: PhotoFilter(PhotoQuery("beach")), among: items, shouldContinue: { false }) == nil)
  }

  @Test("A month has the seconds of its days", arguments: [-40_000, -1, 0, 1, 23_640, 24_239, 24_266])
  func months(number: Int) {
    let month = CalendarMonth(year: 0, month: number + 1)
    #expect(CalendarMonth(containing: month.seconds.lowerBound) == month)
    #expect(CalendarMonth(containing: month.seconds.lowerBound - 1).number == number - 1)
    #expect(CalendarMonth(containing: month.seconds.upperBound).number == number + 1)
  }
}
