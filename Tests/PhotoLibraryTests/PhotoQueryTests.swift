import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineImageMetadata
import VitrineTestSupport

@testable import VitrinePhotoLibrary

@Suite("Photo queries")
struct PhotoQueryTests {
  /// Returns the names of the photographs that a query finds in ``library``.
  private func find(_ text: String) -> [String] {
    let filter = PhotoFilter(PhotoQuery(text), roots: [PhotoPath("/home/anna/Pictures")])
    var matches = PhotoMatches()
    let isComplete = matches.update(with: filter, in: library)
    #expect(isComplete && matches.testedCount == library.count)
    let found = (1...UInt32(library.count)).map(PhotoID.init).filter(matches.contains)
    // One by one, as in records that are no catalogue.
    let rows = (0..<library.count).filter { filter.finds(RecordedPhoto(filter, library, row: $0)) }
    #expect(rows.map { PhotoID(rawValue: UInt32($0) + 1) } == found, "\(text)")
    return found.compactMap(library.displayName)
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
    if format == .heic { header.location = GeographicLocation(latitude: 51.5, longitude: -0.125) }
    return header
  }

  @Test(
    "A query finds the photographs that it describes",
    arguments: [
      ("", [0, 1, 2, 3, 4]), ("  \u{7}\n ", [0, 1, 2, 3, 4]),
      // Words are looked for in names, folders below the root, and cameras.
      ("beach", [0, 1]), ("BEACH dsc", [0]), ("nikon", [0, 1]), ("anna", []), ("pictures", []), ("über", [3]),
      ("u\u{308}ber", [3]), ("uber", [3]), ("bëach", [0, 1]), ("wolken", [3]), ("\"den wolken\"", [3]),
      ("\"wolken den\"", []), ("den wolken", [3]),
      ("name:beach", []), ("folder:beach", [0, 1]), ("in:2020", [3, 4]), ("camera:iphone", [3]),
      // Dates, and words that may be dates.
      ("2019", [0, 1, 2]), ("date:2019", [0, 1]), ("2019-07", [0, 1]), ("2019-07-14", [0]), ("2019-7-31", [1]),
      ("July 2019", [0, 1]), ("2019 july", [0, 1]), ("jul", [0, 1, 2]), ("date:jul", [0, 1]), ("July 2020", []),
      ("date:2019..2020", [0, 1, 3]), ("date:>2019-07", [3]), ("date:<=2019-07-14", [0]), ("date:>=2020", [3]),
      ("2019-02-30", []),
      // Formats, sizes, ratings and shapes.
      ("png", [2, 4]), ("format:png", [2]), ("type:jpg", [0, 1]), (">5MB", [0, 1]), ("<100kb", [2, 4]),
      ("size:2MB..7MB", [0, 3]), (">13mp", [1]), ("<=12mp", [0, 2, 4]), ("****", [0, 3]), ("★★★★★", [3]),
      ("rating:4", [0]), ("rating:<1", [1, 2, 4]), ("rating:>=4", [0, 3]),
      ("rating:***", [0, 3]), ("has:place", [3]), ("-has:location", [0, 1, 2, 4]), ("has:nothing", []),
      ("portrait", [2, 3]), ("is:landscape", [0, 1]), ("square", [4]),
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

  @Test("Dates of 1938 and 2100 are found")
  func distantDates() {
    var library = PhotoCatalogue()
    let times = ["1938-02-03", "1969-12-31", "2100-02-28"].compactMap { QueryDate.period($0)?.lowerBound }
    let identity = FileIdentity(device: 1, inode: 1, byteCount: 1, modificationNanoseconds: 0)
    let photos = times.indices.map {
      FoundPhoto(ordinal: UInt32($0), folder: PhotoPath("/p"), name: [UInt8($0) + 97], identity: identity)
    }
    let headers = times.indices.map {
      HeaderResult(
        ordinal: UInt32($0), identity: identity, header: ImageHeader(format: .jpeg, captureTime: times[$0]))
    }
    library.beginScan()
    for event in [LibraryEvent.found(photos), .headers(headers)] { _ = library.apply(event) }
    func find(_ text: String) -> [UInt32] {
      var matches = PhotoMatches()
      let isComplete = matches.update(with: PhotoFilter(PhotoQuery(text)), in: library)
      #expect(isComplete)
      return (1...3).filter { matches.contains(PhotoID(rawValue: $0)) }
    }
    #expect(times.count == 3 && find("1938") == [1] && find("date:2100") == [3] && find("february") == [1, 3])
    #expect(find("date:1938..1969") == [1, 2] && find("date:<1970") == [1, 2] && find("feb 2100") == [3])
    #expect(find("2100-02-29") == [] && find("1938-02-03") == [1])
  }

  @Test("A condition is added to a query, removed from it however it is written, and replaces those that exclude it")
  func toggling() {
    #expect(PhotoQuery("").text(toggling: "portrait") == "portrait")
    #expect(PhotoQuery("2019 rating:>=4").text(toggling: "portrait") == "2019 rating:>=4 portrait")
    #expect(PhotoQuery("upright 2019").contains("portrait") && !PhotoQuery("2019").contains("portrait"))
    #expect(PhotoQuery("upright 2019").text(toggling: "portrait") == "2019")
    #expect(PhotoQuery("wide 2019").text(toggling: "portrait", insteadOf: ["landscape"]) == "2019 portrait")
    #expect(!PhotoQuery("2019").contains(""))
  }

  @Test("Conditions have titles, and their texts make the same query again")
  func conditions() {
    let query = PhotoQuery(" beach  July 2019 -png \"new year\" >5MB camera:nikon beach")
    #expect(
      query.conditions.map(\.title) == [
        "beach", "July 2019", "Not PNG", "new year", "> 5 MB", "Camera: nikon",
      ])
    #expect(PhotoQuery(query.conditions.map(\.text).joined(separator: " ")) == query)
    #expect(query.text(removingConditionAt: 1) == "beach -png \"new year\" >5MB camera:nikon")
  }

  @Test(
    "The title of a condition is short",
    arguments: [
      ("2019", "2019"), ("2019-07", "July 2019"), ("2019-7-4", "4 July 2019"), ("jul", "July"),
      ("-july 2019", "Not July 2019"), ("date:2017..2019-02", "2017 to February 2019"),
      ("date:>=2019-07", "≥ July 2019"),
      ("date:<2019", "< 2019"), ("jpg", "JPEG"), ("type:heic", "HEIC"), ("size:1.5mb..3gb", "1.5 MB to 3 GB"),
      ("<=12mp", "≤ 12 MP"), ("size:4096", "size:4096"), ("****", "★ 4 or more"), ("rating:3", "★ 3"),
      ("rating:<=2", "★ 2 or less"), ("rating:2..4", "★ 2 to 4"), ("rating:0", "no rating"),
      ("has:place", "with a place"), ("-has:place", "Not with a place"),
      ("is:portrait", "portrait"),
      ("-name:x", "Not Name: x"),
    ])
  func titles(_ text: String, _ title: String) { #expect(PhotoQuery(text).conditions.map(\.title) == [title]) }

  @Test("Of several roots the names are searched, of one root nothing, and not the folders that contain them")
  func roots() {
    var library = PhotoCatalogue()
    _ = library.apply(
      .found(
        ["/home/anna/Sea", "/home/bob/Alps/x"].enumerated().map {
          FoundPhoto(
            ordinal: UInt32($0.offset), folder: PhotoPath($0.element), name: Array("1.jpg".utf8), identity: .unknown)
        }))
    func find(_ text: String, _ roots: [String]) -> [UInt32] {
      var matches = PhotoMatches()
      _ = matches.update(with: PhotoFilter(PhotoQuery(text), roots: roots.map { PhotoPath($0) }), in: library)
      return [1, 2].filter { matches.contains(PhotoID(rawValue: $0)) }
    }
    let roots = ["/home/anna/Sea", "/home/bob/Alps"]
    #expect(find("alps", roots) == [2] && find("sea", roots) == [1] && find("bob", roots).isEmpty)
    #expect(
      find("alps", ["/home/bob/Alps"]).isEmpty && find("alps/x", roots) == [2] && find("/x", ["/home/bob/Alps"]) == [2])
  }

  @Test("Letters match in either case and without diacritics, in valid text and in any bytes")
  func folding() {
    let pairs = [
      ("ÉCOLE", "ecole"), ("e\u{301}cole", "école"), ("Łódź", "lodz"), ("ΑΣ", "ας"), ("Ёлка", "ёлка"), ("日本", "日本"),
      ("straße", "STRASSE"), ("İzmir", "izmir"), ("Ǆ", "ǆ"),
    ]
    for (name, text) in pairs {
      #expect(SearchText(text).occurs(in: Array(name.utf8)) == (name != "straße"), "\(text)")
      #expect(SearchText(name).occurs(in: Array("x\(text)x".utf8)) == (name != "straße"), "\(name)")
    }
    #expect(SearchText("b").occurs(in: [0xFF, 0x41, 0xC3, 0x62]) && !SearchText("é").occurs(in: [0xFF, 0xC3]))
  }

  @Test("Matches follow photographs that are added and changed, and a stopped search says so")
  func updates() {
    var library = library
    var matches = PhotoMatches()
    let filter = PhotoFilter(PhotoQuery("format:png"))
    let isFirstComplete = matches.update(with: filter, in: library)
    #expect(isFirstComplete)
    #expect((1...6).filter { matches.contains(PhotoID(rawValue: $0)) } == [3])
    let change = library.apply(
      .found([
        FoundPhoto(
          ordinal: 5, folder: PhotoPath("/new"), name: Array("x.png".utf8),
          identity: FileIdentity(device: 1, inode: 99, byteCount: 1, modificationNanoseconds: 0))
      ]))
    let isSecondComplete = matches.update(with: filter, in: library)
    #expect(isSecondComplete && matches.testedCount == 6)
    #expect(!matches.contains(change.added[0]), "its header is not known")
    for ordinal in [UInt32(2), 5] {
      _ = library.apply(
        .headers([
          HeaderResult(
            ordinal: ordinal,
            identity: FileIdentity(device: 1, inode: UInt64(ordinal), byteCount: 1, modificationNanoseconds: 0),
            header: ImageHeader(format: ordinal == 2 ? .gif : .png))
        ]))
    }
    let isThirdComplete = matches.update(with: filter, changed: [3, 6].map(PhotoID.init), in: library)
    #expect(isThirdComplete)
    #expect((0...7).filter { matches.contains(PhotoID(rawValue: $0)) } == [6])
    var stopped = PhotoMatches()
    let isStoppedComplete = stopped.update(with: filter, in: library) { false }
    #expect(!isStoppedComplete)
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
    // One character of a megabyte, and a limit within a character.
    for text in ["e" + String(repeating: "\u{301}", count: 1 << 19), "x" + String(repeating: "é", count: 1 << 19)] {
      let bytes = PhotoQuery(text).conditions.map(\.text.utf8.count)
      #expect(bytes == [PhotoQuery.maximumLength - 1])
      #expect(find(text).isEmpty == text.hasPrefix("x"), "accents are not compared")
    }
  }

  @Test("Control characters separate words", arguments: ["\u{0}", "\u{7}", "\u{1B}", "\u{7F}", "\n", "\u{9B}"])
  func controlCharacters(character: String) {
    #expect(PhotoQuery("a\(character)b").conditions.map(\.text) == ["a", "b"])
    #expect(PhotoQuery("\"a\(character)b\"").conditions.map(\.title) == ["a b"])
  }

  @Test("A month has the seconds of its days", arguments: [-40_000, -1, 0, 1, 23_640, 24_239, 24_266])
  func months(number: Int) {
    let month = CalendarMonth(year: 0, month: number + 1)
    #expect(CalendarMonth(containing: month.seconds.lowerBound) == month)
    #expect(CalendarMonth(containing: month.seconds.lowerBound - 1).number == number - 1)
    #expect(CalendarMonth(containing: month.seconds.upperBound).number == number + 1)
  }
}
