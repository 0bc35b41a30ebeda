import Rendering
import Testing

@Suite("Texts are told apart by their bytes")
struct ExactTextTests {
  @Test("The same bytes are the same key, whoever made the string")
  func same() {
    let long = "Photograph 12, summer by the sea…"
    for text in ["", "a", "sixteen letters.", long] {
      let other = ExactText(String(decoding: Array(text.utf8), as: UTF8.self))
      #expect(ExactText(text) == other && ExactText(text).hashValue == other.hashValue)
      #expect(Array(text.utf8).withUnsafeBufferPointer { ExactText($0) } == other)
    }
  }

  @Test("Other bytes are another key, also where they mean the same")
  func other() {
    #expect("\u{E9}" == "e\u{301}" && ExactText("\u{E9}") != ExactText("e\u{301}"))
    #expect(ExactText("IMG_0042.jpg") != ExactText("IMG_0043.jpg"))
    #expect(ExactText("a") != ExactText("") && ExactText("a") != ExactText("ab"))
  }
}
