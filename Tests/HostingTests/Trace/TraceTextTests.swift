import Foundation
import Testing

@testable import Hosting

@Suite("A line of a trace is JSON, whatever a file is called")
struct TraceTextTests {
  private func text(_ write: (inout TraceText) -> Void) -> String {
    var text = TraceText()
    text.open()
    write(&text)
    text.close()
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test("Fields stand between commas, objects within objects")
  func fields() {
    let line = text {
      $0.field("a", integer: -3)
      $0.openField("b")
      $0.field("c", flag: true)
      $0.field("d", flag: false)
      $0.close()
      $0.openField("e")
      $0.close()
      $0.field("f", text: "g")
    }
    #expect(line == #"{"a":-3,"b":{"c":true,"d":false},"e":{},"f":"g"}"#)
  }

  @Test(
    "Thousandths are exact",
    arguments: [
      (0, "0.000"), (1, "0.001"), (-1, "-0.001"), (1_000, "1.000"), (-12_345, "-12.345"),
      (Int64.max, "9223372036854775.807"), (Int64.min, "-9223372036854775.808"),
    ])
  func thousandths(value: Int64, written: String) {
    #expect(text { $0.field("x", thousandths: value) } == #"{"x":\#(written)}"#)
  }

  @Test("A name comes back as it was", arguments: ["", "a\"b\\c", "line\nfeed\u{1}\u{1F}", "Ölpfütze 🏞", "\u{7F}"])
  func quoting(name: String) throws {
    let line = text { $0.field(name, text: name) }
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    #expect(read == [name: name])
  }
}
