import Testing

@testable import GalleryUI

@Suite("Paths are written as other programs paste them")
struct PathTextTests {
  private func text(_ places: [PicturePlace], _ form: PathText.Form) -> String {
    String(decoding: PathText.lines(places, as: form), as: UTF8.self)
  }

  @Test("As they are, or as addresses with every other byte escaped")
  func forms() {
    let places: [PicturePlace] = [
      .file(Array("/home/a b/ä?.jpg".utf8)), .address("https://example.org/p.jpg"), .file([47, 0xFF, 0x0A]),
    ]
    #expect(
      PathText.lines(places, as: .plain)
        == Array("/home/a b/ä?.jpg\nhttps://example.org/p.jpg\n/".utf8) + [0xFF, 0x0A])
    #expect(
      text(places, .addresses)
        == "file:///home/a%20b/%C3%A4%3F.jpg\nhttps://example.org/p.jpg\nfile:///%FF%0A")
    #expect(text([], .plain).isEmpty)
  }
}
