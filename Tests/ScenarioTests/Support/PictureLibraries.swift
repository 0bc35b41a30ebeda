import Foundation
import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering

/// A writer of image files: JPEG by the program's encoding process, PNG and WebP from constants.
///
/// It must be used on the thread that created it, like its process.
struct PictureMaker {
  private let encoder: EncodingProcess
  private static let maximumSide = 640

  init() throws {
    guard let size = PixelSize(width: PictureMaker.maximumSide, height: PictureMaker.maximumSide) else {
      throw TemporaryFolder.SystemError(call: "size", code: EINVAL)
    }
    encoder = try EncodingProcess(largest: size)
  }

  /// Returns a JPEG file of one colour.
  func jpeg(_ color: Color, width: Int = 64, height: Int = 48) throws -> [UInt8] {
    try jpeg(width: width, height: height) { _, _ in color }
  }

  /// Returns a JPEG file whose red increases to the right and green downwards, with a blue derived from the number.
  func gradient(_ number: Int, width: Int = 96, height: Int = 72) throws -> [UInt8] {
    try jpeg(width: width, height: height) { x, y in
      Color(
        red: UInt8(x * 255 / width), green: UInt8(y * 255 / height), blue: UInt8(truncatingIfNeeded: number * 37))
    }
  }

  private func jpeg(width: Int, height: Int, _ color: (Int, Int) -> Color) throws -> [UInt8] {
    guard let size = PixelSize(width: width, height: height) else {
      throw TemporaryFolder.SystemError(call: "size", code: EINVAL)
    }
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for y in 0..<height {
        for x in 0..<width { words[y * width + x] = color(x, y).packed.littleEndian }
      }
    }
    return try encoder.encode(bitmap, quality: 92)
  }

  /// A PNG file of 12 × 8 pixels.
  static let png = bytes(
    """
    iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAABChommAAAArUlEQVR42g3KIQEAIQxA0YVAowmxEOhpQkz+AOhpQiwEepowd08/EaEJQ1BhCktwYQ\
    tHSOEKTxDptM7oaGd2Vsc7u3M62bmd1/+kNGUoqkxlKa5s5SipXOXpn4xmDEONaSzDjW0cI41rPPuT05zhqDOd5bizneOkc53nfwpaMAINZrACD3Zw\
    ggxu8OJPSUtGoslMVuLJTk6SyU1e/qloxSi0mMUqvNjFKbK4xSs+xTiAoZ99UTIAAAAASUVORK5CYII=
    """)

  /// A lossless WebP file of 12 × 8 pixels.
  static let webP = bytes("UklGRiwAAABXRUJQVlA4TB8AAAAvC8ABAJmM6H9sIqL/ASEBYYn/SyUDhmIAYwKQqiwBAA==")

  private static func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text) ?? Data()) }
}

extension TemporaryFolder {
  /// Creates a folder of small photographs in three formats, one of them a single pixel, and two files that are no
  /// images.
  ///
  /// - Parameters:
  ///   - count: The number of photographs named "photo 0.jpg" and so on. There are five other files.
  ///   - name: The name of the folder.
  static func photoLibrary(count: Int = 140, named name: String = "photographs") throws -> TemporaryFolder {
    let folder = try TemporaryFolder(named: name)
    let maker = try PictureMaker()
    for number in 0..<count { try folder.write(try maker.gradient(number), to: "photo \(number).jpg") }
    try folder.write(maker.jpeg(Color(hex: 0xC86432), width: 1, height: 1), to: "dot.jpg")
    try folder.write(PictureMaker.png, to: "drawing.png")
    try folder.write(PictureMaker.webP, to: "picture.webp")
    try folder.write([], to: "empty.jpg")
    try folder.write(Array("not a picture at all".utf8), to: "text.png")
    return folder
  }
}

/// A folder of damaged images, special files, links and unusual names, and of some valid images.
struct BadLibrary {
  /// The expected state of an item.
  struct Expected {
    var name: [UInt8]
    var isShown: Bool
    /// A part of the expected reason, or an empty string.
    var reason: String

    init(_ name: String, _ isShown: Bool, _ reason: String = "") { self.init(Array(name.utf8), isShown, reason) }

    init(_ name: [UInt8], _ isShown: Bool, _ reason: String = "") {
      self.name = name
      self.isShown = isShown
      self.reason = reason
    }
  }

  /// The folder.
  let folder: TemporaryFolder
  /// The expected items, in no particular order.
  private(set) var expected: [Expected] = []

  /// The number of items that are expected to fail.
  var failedCount: Int { expected.count { !$0.isShown } }

  init() throws {
    folder = try TemporaryFolder()
    let maker = try PictureMaker()
    try addPictures(maker)
    try addDamage(maker)
    try addSpecialFiles()
    try addLinks()
    try addNames(maker)
  }

  private mutating func addPictures(_ maker: PictureMaker) throws {
    try add(try maker.gradient(1), Expected("good.jpg", true))
    try add(PictureMaker.png, Expected("good.png", true))
    try add(PictureMaker.webP, Expected("good.webp", true))
    // The first bytes determine the format, not the name.
    try add(PictureMaker.png, Expected("really a png.jpg", true))
    try add(try maker.gradient(2), Expected("no ending", true))
  }

  private mutating func addDamage(_ maker: PictureMaker) throws {
    let whole = try maker.gradient(3, width: 320, height: 240)
    try add([], Expected("empty.jpg", false, "empty file"))
    try add(Array("<html>404</html>".utf8), Expected("page.jpg", false, "not a picture"))
    try add(Array(whole.prefix(whole.count * 6 / 10)), Expected("cut off.jpg", true, "damaged"))
    try add(Array(whole.prefix(24)), Expected("only a beginning.jpg", false, ""))
    try add(Array(PictureMaker.png.prefix(60)), Expected("cut off.png", false, ""))
    try add(Array(PictureMaker.webP.prefix(30)), Expected("cut off.webp", false, ""))
    try add([0xFF, 0x0A] + [UInt8](repeating: 0, count: 40), Expected("of another kind.jxl", false, "no preview"))
    // A text file whose name is not that of an image is not an item.
    try folder.write(Array("text".utf8), to: "notes.txt")
  }

  private mutating func addSpecialFiles() throws {
    try folder.makeFIFO("fifo.jpg")
    try folder.makeSocket("socket.jpg")
    try folder.makeFolder("folder.jpg")
    try folder.write(PictureMaker.png, to: "folder.jpg/inside.png")
    expected += [
      Expected("fifo.jpg", false, "not a regular file"), Expected("socket.jpg", false, "not a regular file"),
      Expected("folder.jpg/inside.png", true),
    ]
  }

  private mutating func addLinks() throws {
    try folder.link("dangling.jpg", to: "/absent/picture.jpg")
    try folder.link("itself.jpg", to: "itself.jpg")
    try folder.link("one.jpg", to: "two.jpg")
    try folder.link("two.jpg", to: "one.jpg")
    try folder.link("zero.png", to: "/dev/zero")
    try folder.link("another name.png", to: "good.png")
    try folder.makeFolder("loop/inner")
    try folder.link("loop/self", to: ".")
    try folder.link("loop/inner/up", to: "../..")
    try folder.link("loop/round", to: "round")
    expected += [
      Expected("dangling.jpg", false, "broken link"), Expected("itself.jpg", false, "broken link"),
      Expected("one.jpg", false, "broken link"), Expected("two.jpg", false, "broken link"),
      Expected("zero.png", false, "not a regular file"),
    ]
    // The link precedes the file in name order and represents it.
    expected.removeAll { $0.name == Array("good.png".utf8) }
    expected.append(Expected("another name.png", true))
  }

  private mutating func addNames(_ maker: PictureMaker) throws {
    let picture = try maker.gradient(4)
    let jpg = Array(".jpg".utf8)
    for name in [
      [0xFF, 0xFE] + jpg, [0xC3] + jpg, Array("a\nb\u{1B}[2J\tc\u{7F}".utf8) + jpg, Array("\u{202E}gpj.exe".utf8) + jpg,
      Array("e\u{301}".utf8) + jpg, Array("\u{E9}".utf8) + jpg, Array("-rf".utf8) + jpg, Array("%41".utf8) + jpg,
      Array("$(touch x) `y` ; \"'".utf8) + jpg, [UInt8](repeating: 0x61, count: 251) + jpg,
    ] { try add(picture, Expected(name, true)) }
    let deep = (0..<22).map { number in String(repeating: "deep ", count: 40) + "\(number)" }
    try folder.write(picture, to: "deepest.jpg", under: deep)
    expected.append(Expected((deep + ["deepest.jpg"]).joined(separator: "/"), true))
  }

  private mutating func add(_ content: [UInt8], _ item: Expected) throws {
    try folder.write(content, to: item.name)
    expected.append(item)
  }
}
