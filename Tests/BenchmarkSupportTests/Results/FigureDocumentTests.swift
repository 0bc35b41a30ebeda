import BenchmarkSupport
import Testing

@Suite("The figures of a run")
struct FigureDocumentTests {
  @Test("are named by words of letters, digits and hyphens")
  func names() {
    #expect(BenchmarkFigure.name(["decode", "baseline-12.jpg", "256"]) == "decode.baseline-12-jpg.256")
    #expect(BenchmarkFigure.name(["Scroll", "1 %", "übrig"]) == "scroll.1--.-brig")
    #expect(BenchmarkFigure("scroll.quiet.instructions", 1, .instructions, .counted).benchmark == "scroll")
  }

  @Test("are the first of their name, and finite")
  func recorded() {
    let recorder = FigureRecorder()
    recorder.add(["a", "b"], 1, .calls, .counted)
    recorder.add(["a", "b"], 2, .calls, .counted)
    recorder.add(["a", "c"], nil, .calls, .counted)
    recorder.add(["a", "d"], .infinity, .decibels, .counted)
    recorder.add(["a", "e"], 0, .calls, .counted)
    #expect(recorder.figures.map(\.name) == ["a.b", "a.e"] && recorder.figures[0].value == 1)
  }

  @Test("come back from their file as they were")
  func file() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/figures.json"
    let document = FigureDocument([
      BenchmarkFigure("scroll.quiet.1000.instructions", 11_784, .instructions, .counted),
      BenchmarkFigure("input.jump.over-screen", 1.25, .ratio, .related),
    ])
    try document.write(to: path)
    #expect(try FigureDocument.read(path) == document)
    #expect(try ResultFile.text(of: path)?.contains("\"value\" : 11784") == true)
  }

  @Test("that cannot be read are told by the file's name and the place")
  func refusals() {
    #expect(throws: ResultError("/no/such/file: there is no such file")) { try FigureDocument.read("/no/such/file") }
    let error = #expect(throws: ResultError.self) {
      try FigureDocument(#"{"figures": [{"name": "a", "value": "1"}]}"#, from: "x.json")
    }
    #expect(error?.description.hasPrefix("x.json: at figures.0.value: ") == true, "\(String(describing: error))")
    #expect(throws: ResultError.self) { try FigureDocument(#"{"figures": [}"#, from: "x.json") }
  }

  @Test("are asked for behind the benchmark's name, of benchmarks that have any")
  func asked() throws {
    let invocation = try BenchmarkInvocation(["scroll", "--json", "a.json", "--n", "1000"])
    let options = try ScrollOptions(["--n", "1000"])
    #expect(invocation.figures == "a.json" && invocation.command == .scroll(options))
    #expect(try BenchmarkInvocation(["diff"]).figures == nil)
    #expect(throws: CommandError("--json needs a path")) { try BenchmarkInvocation(["diff", "--json"]) }
    let error = #expect(throws: CommandError.self) { try BenchmarkInvocation(["operations", "--json", "a"]) }
    #expect(error?.description.hasPrefix("--json: operations has no figures") == true)
  }

  @Test("are read with their units")
  func units() {
    #expect(FigureUnit.instructions.text(11_784.4) == "11,784" && FigureUnit.nanoseconds.text(2_500_000) == "2.50 ms")
    #expect(FigureUnit.bytes.text(12.5) == "12.5 B" && FigureUnit.bytes.text(64 * 1_048_576) == "64.0 MiB")
    #expect(FigureUnit.ratio.text(0.85) == "0.85x" && FigureUnit.decibels.text(45.25) == "45.3 dB")
    #expect(FigureUnit.refreshes.text(0.5) == "0.50 T")
    #expect(FigureUnit.allCases.filter(\.isBetterWhenMore) == [.speedup, .share, .decibels])
    #expect(FigureText.percent(0.0011) == "0.11 %" && FigureText.exactRatio(1.0004) == "1.000x")
    #expect(FigureText.change(from: 200, to: 201) == "+0.50 %" && FigureText.change(from: 200, to: 150) == "-25.00 %")
    #expect(FigureText.change(from: 0, to: 1) == nil)
  }
}
