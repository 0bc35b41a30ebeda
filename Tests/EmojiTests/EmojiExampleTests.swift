import Hosting
import Testing

@testable import vitrine_emoji

@Suite("The emoji example")
struct EmojiExampleTests {
  @Test("Its name is that of its executable")
  func name() { #expect(EmojiExample.name == "emoji") }
}
