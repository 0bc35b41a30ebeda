import PhotoLibrary
import Testing

@testable import GalleryUI

@Suite("Paths are written as other programs paste them")
struct PathTextTests {
  private func bytes(_ places: [PictureLocation], _ form: PathListText.Format) -> [UInt8] {
    var text: [UInt8] = []
    for place in places { PathListText.append(place, to: &text, as: form) }
    return text
  }

  private let places: [PictureLocation] = [
    .file(Array("/home/a b/ä?.jpg".utf8)), .url("https://example.org/p.jpg"), .file([47, 0xFF, 0x0A]),
  ]

  @Test("As they are, or as addresses with every other byte escaped")
  func forms() {
    #expect(
      bytes(places, .plain) == Array("/home/a b/ä?.jpg\nhttps://example.org/p.jpg\n/".utf8) + [0xFF, 0x0A])
    #expect(
      String(decoding: bytes(places, .addresses), as: UTF8.self)
        == "file:///home/a%20b/%C3%A4%3F.jpg\nhttps://example.org/p.jpg\nfile:///%FF%0A")
    #expect(bytes([], .plain).isEmpty)
  }

  @Test("In portions it is the same text, and none asks for more than it was let", arguments: [1, 2, 3, 7, 100])
  func portions(most: Int) {
    var copy = PathCopy(of: (1...20).map { PhotoID(rawValue: $0) }, as: .addresses)
    var asked = 0
    var steps = 0
    while !copy.isComplete {
      let before = asked
      copy.advance(atMost: most) { item in
        asked += 1
        return item.rawValue % 4 == 3 ? nil : places[Int(item.rawValue % 4)]
      }
      #expect(asked - before <= most)
      steps += 1
    }
    let there = (1...20).filter { $0 % 4 != 3 }.map { places[$0 % 4] }
    #expect(copy.text == bytes(there, .addresses) && copy.count == 15)
    #expect(asked == 20 && steps == (20 + most - 1) / most)
  }
}
