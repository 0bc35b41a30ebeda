import Foundation
import Testing

@testable import Hosting

@Suite("A line of a trace is JSON, whatever a file is called")
struct TraceTextTests {
  private func text(_ write: (inout TraceJSONWriter) -> Void) -> String {
    var text = TraceJSONWriter()
    text.openObject()
    write(&text)
    text.closeObject()
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test("Fields stand between commas, objects within objects")
  func fields() {
    let line = text {
      $0.writeField("a", integer: -3)
      $0.openObjectField("b")
      $0.writeField("c", flag: true)
      $0.writeField("d", flag: false)
      $0.closeObject()
      $0.openObjectField("e")
      $0.closeObject()
      $0.writeField("f", text: "g")
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
    #expect(text { $0.writeField("x", thousandths: value) } == #"{"x":\#(written)}"#)
  }

  @Test("A name comes back as it was", arguments: ["", "a\"b\\c", "line\nfeed\u{1}\u{1F}", "Ölpfütze 🏞", "\u{7F}"])
  func quoting(name: String) throws {
    let line = text { $0.writeField(name, text: name) }
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    #expect(read == [name: name])
  }
}
