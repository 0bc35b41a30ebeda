import Testing
import VitrineGeometry
import VitrineSDLBackend
import VitrineTestSupport

@Suite("The undisplayed region contains everything that was drawn")
struct UndisplayedRegionTests {
  @Test("Every pixel that was added is in one of few rectangles", arguments: 1...60 as ClosedRange<UInt64>)
  func containsEveryPixel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let region = UndisplayedRegion()
    var added: [PixelRect] = []
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let part = PixelRect.random(within: .at(0, 0, 200, 100), using: &random)
      region.add(part)
      if !part.isEmpty { added.append(part) }
      #expect(region.rects.count <= UndisplayedRegion.maximumRects)
    }
    for part in added { #expect(region.rects.contains { $0.contains(part) }) }
    #expect(region.rects.isEmpty == added.isEmpty)
    region.removeAll()
    #expect(region.rects.isEmpty)
  }

  @Test("A rectangle within another is not displayed twice")
  func nestedRectangles() {
    let region = UndisplayedRegion()
    region.add(.at(0, 0, 100, 100))
    region.add(.at(10, 10, 20, 20))
    #expect(Array(region.rects) == [.at(0, 0, 100, 100)])
  }
}

@Suite("Memory is being read until the server reports completion or an error")
struct PendingReadTests {
  @Test(
    "The completion of the last request ends the read, and that of an earlier one does not",
    arguments: [7, .max, .max - 1] as [UInt32])
  func completion(last: UInt32) {
    var read = PendingRead()
    #expect(!read.isReading)
    read.recordRequest(last)
    #expect(read.isReading)
    #expect(read.handleEvent(isError: false, isCompletion: true, request: last &- 2) == .none && read.isReading)
    #expect(read.handleEvent(isError: false, isCompletion: false, request: last &+ 1) == .none && read.isReading)
    #expect(read.handleEvent(isError: false, isCompletion: true, request: last) == .read && !read.isReading)
    read.recordRequest(last)
    // An event may have the number of a later request.
    #expect(read.handleEvent(isError: false, isCompletion: true, request: last &+ 3) == .read && !read.isReading)
  }

  @Test(
    "An error is reported, and ends the read if it is of the last request or a later one",
    arguments: [9, .max, 0] as [UInt32])
  func error(last: UInt32) {
    var read = PendingRead()
    read.recordRequest(last)
    #expect(read.handleEvent(isError: true, isCompletion: false, request: last &- 1) == .refused && read.isReading)
    #expect(read.handleEvent(isError: true, isCompletion: false, request: last) == .refused && !read.isReading)
    #expect(read.handleEvent(isError: true, isCompletion: false, request: last) == .none)
    read.recordRequest(last)
    read.discardRequest()
    #expect(!read.isReading)
  }
}
