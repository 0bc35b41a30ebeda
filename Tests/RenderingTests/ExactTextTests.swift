import Rendering
import Testing

@Suite("Texts are told apart by their bytes")
struct ExactTextTests {
  @Test("The same bytes are the same key, whoever made the string")
  func same() {
    let long = "Photograph 12, summer by the sea…"
    for text in ["", "a", "sixteen letters.", long] {
      let other = BytewiseText(String(decoding: Array(text.utf8), as: UTF8.self))
      #expect(BytewiseText(text) == other && BytewiseText(text).hashValue == other.hashValue)
      #expect(Array(text.utf8).withUnsafeBufferPointer { BytewiseText($0) } == other)
    }
  }

  @Test("Other bytes are another key, also where they mean the same")
  func other() {
    #expect("\u{E9}" == "e\u{301}" && BytewiseText("\u{E9}") != BytewiseText("e\u{301}"))
    #expect(BytewiseText("IMG_0042.jpg") != BytewiseText("IMG_0043.jpg"))
    #expect(BytewiseText("a") != BytewiseText("") && BytewiseText("a") != BytewiseText("ab"))
  }
}
