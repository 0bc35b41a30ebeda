import Foundation
import Rendering

/// A folder of all that can be wrong with what bears a picture's name, and some that is right.
struct BadLibrary {
  /// What a name comes to.
  struct Expected {
    var name: [UInt8]
    var isShown: Bool
    /// What the reason contains; nothing where there is none.
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
  /// Every item that is to be there, in no order.
  private(set) var expected: [Expected] = []

  /// The items that are to be told as broken.
  var failedCount: Int { expected.count { !$0.isShown } }

  init() throws {
    folder = try TemporaryFolder()
    let maker = try PictureMaker()
    try addPictures(maker)
    try addDamage(maker)
    try addNoFiles()
    try addLinks()
    try addNames(maker)
  }

  private mutating func addPictures(_ maker: PictureMaker) throws {
    try add(try maker.gradient(1), Expected("good.jpg", true))
    try add(PictureMaker.png, Expected("good.png", true))
    try add(PictureMaker.webP, Expected("good.webp", true))
    // What counts is the first bytes, not the name.
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
    // A plain text that nobody calls a picture is no item at all.
    try folder.write(Array("text".utf8), to: "notes.txt")
  }

  private mutating func addNoFiles() throws {
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
      Expected("dangling.jpg", false, "link to nothing"), Expected("itself.jpg", false, "link to nothing"),
      Expected("one.jpg", false, "link to nothing"), Expected("two.jpg", false, "link to nothing"),
      Expected("zero.png", false, "not a regular file"),
    ]
    // The link comes first in the order of names and stands for the file that it leads to.
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
