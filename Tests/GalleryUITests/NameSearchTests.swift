import FramePacing
import PhotoLibrary
import Testing

@testable import GalleryUI

@Suite("What is typed finds a name that begins with it")
struct NameSearchTests {
  private let names = ["Apple.jpg", "apricot.jpg", "Banana.jpg", "Ärger.jpg", "ärmel.jpg", "apex.png", ""]

  private func find(_ text: String, from start: Int, portion: Int = 100) -> NameSearch.State {
    var search = NameSearch(for: text, from: start, of: names.count)
    var finding = NameSearch.State.searching
    while finding == .searching { finding = search.advance(atMost: portion) { Array(names[$0].utf8)[...] } }
    return finding
  }

  @Test(
    "From a place on and around, in letters of either case",
    arguments: [
      ("a", 0, 0), ("a", 1, 1), ("a", 2, 5), ("ap", 6, 0), ("APR", 0, 1), ("b", 5, 2), ("är", 0, 3), ("ÄRM", 0, 4),
      ("a", 700, 0),
    ])
  func found(text: String, start: Int, place: Int) {
    #expect(find(text, from: start) == .found(place))
    #expect(find(text, from: start, portion: 1) == .found(place))
  }

  @Test("Nowhere is nowhere", arguments: ["x", "apx", "banana.jpgs", ""])
  func nowhere(text: String) {
    #expect(find(text, from: 3, portion: 2) == .notFound)
  }

  @Test("Among none there is none")
  func none() {
    var search = NameSearch(for: "a", from: 4, of: 0)
    let finding = search.advance(atMost: 9) { _ in nil }
    #expect(finding == .notFound)
  }

  @Test("Letters that come soon are one beginning, one letter again and again goes on, and time forgets")
  func typing() {
    var ahead = TypeAhead()
    let start = FrameInstant.zero
    ahead.appendLetter("a", at: start)
    #expect(ahead.query == ("a", false))
    ahead.appendLetter("p", at: start + .milliseconds(500))
    #expect(ahead.query == ("ap", true))
    let expiries = [1_999.0, 2_000, 9_000].map { ahead.expire(at: start + .milliseconds($0)) }
    #expect(expiries == [false, true, false])
    #expect(!ahead.isActive && ahead.expiry == nil)
    ahead.appendLetter("b", at: start)
    ahead.appendLetter("b", at: start)
    #expect(ahead.query == ("b", false) && ahead.text == "bb")
    ahead.deleteLastLetter(at: start)
    ahead.deleteLastLetter(at: start)
    #expect(!ahead.isActive && ahead.expiry == nil)
    for _ in 0..<200 { ahead.appendLetter("x", at: start) }
    #expect(ahead.text.count == 64)
  }

  @Test("A pointer that rests is told once, and not after something was done")
  func resting() {
    var hover = ToolTipTimer()
    let start = FrameInstant.zero
    hover.setItem(PhotoID(rawValue: 3), isTruncated: true, at: start)
    let told = [499.0, 500, 9_000].map { hover.advance(to: start + .milliseconds($0)) }
    #expect(told == [false, true, false] && hover.isShown)
    hover.setItem(PhotoID(rawValue: 3), isTruncated: true, at: start + .seconds(9))
    #expect(hover.isShown, "the same one")
    hover.setItem(PhotoID(rawValue: 4), isTruncated: false, at: start)
    #expect(hover.fireInstant == nil && !hover.isShown)
    hover.setItem(PhotoID(rawValue: 5), isTruncated: true, at: start)
    hover.cancel()
    let isTold = hover.advance(to: start + .seconds(9))
    #expect(!isTold)
    hover.pointerDidMove(at: start + .seconds(9))
    let isToldAgain = hover.advance(to: start + .milliseconds(9_500))
    #expect(isToldAgain, "the pointer moved and rests again")
    hover.pointerDidMove(at: start + .seconds(10))
    #expect(hover.fireInstant == nil && hover.isShown, "what is shown stays")
    hover.setItem(nil, isTruncated: true, at: start)
    #expect(hover.fireInstant == nil)
  }
}
