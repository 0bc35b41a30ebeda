import SDLBackend
import Testing

@Suite("Memory is read until the server says so, or refuses")
struct PendingReadTests {
  @Test(
    "The event of the last request ends it, that of an earlier one does not",
    arguments: [7, .max, .max - 1] as [UInt32])
  func completion(last: UInt32) {
    var read = PendingRead()
    #expect(!read.isReading)
    read.begin(last)
    #expect(read.isReading)
    #expect(read.handleEvent(isError: false, isCompletion: true, request: last &- 2) == .none && read.isReading)
    #expect(read.handleEvent(isError: false, isCompletion: false, request: last &+ 1) == .none && read.isReading)
    #expect(read.handleEvent(isError: false, isCompletion: true, request: last) == .read && !read.isReading)
    read.begin(last)
    // The number of an event may be that of a request after it.
    #expect(read.handleEvent(isError: false, isCompletion: true, request: last &+ 3) == .read && !read.isReading)
  }

  @Test(
    "An error is told, and ends it where it is of the last request or a later one", arguments: [9, .max, 0] as [UInt32])
  func error(last: UInt32) {
    var read = PendingRead()
    read.begin(last)
    #expect(read.handleEvent(isError: true, isCompletion: false, request: last &- 1) == .refused && read.isReading)
    #expect(read.handleEvent(isError: true, isCompletion: false, request: last) == .refused && !read.isReading)
    #expect(read.handleEvent(isError: true, isCompletion: false, request: last) == .none)
    read.begin(last)
    read.end()
    #expect(!read.isReading)
  }
}
