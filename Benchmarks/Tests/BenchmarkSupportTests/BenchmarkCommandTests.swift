import BenchmarkSupport
import Testing

@Suite("Command line of the benchmarks")
struct BenchmarkCommandTests {
  private func options(_ words: String...) throws -> DiffOptions? {
    if case .diff(let options) = try BenchmarkCommand(words) { return options }
    return nil
  }

  private func errorText(_ words: String...) -> String? {
    do throws(CommandError) {
      _ = try BenchmarkCommand(words)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("The diff benchmark is the default command")
  func defaults() throws {
    #expect(try options() == options("diff"))
    #expect(try options("--quick") == options("diff", "--quick"))
    #expect(try options()?.sizes == [1_000, 10_000, 100_000, 1_000_000, 10_000_000])
    #expect(try options()?.kinds == [.int, .uuid, .string])
    #expect(try BenchmarkCommand(["counter"]) == .counter)
    #expect(try BenchmarkCommand(["diff", "--n", "--help"]) == .help)
  }

  @Test("Sizes, identifier types and runs are parsed")
  func values() throws {
    let options = try options("diff", "--n", "10,2000", "--ids", "string,int", "--repeat", "21", "--instructions")
    #expect(options?.sizes == [10, 2_000] && options?.kinds == [.string, .int] && options?.repeats == 21)
    #expect(options?.callgrindOutput == nil)
  }

  @Test("Explicit options override presets in any order")
  func precedence() throws {
    let options = try options("--repeat", "9", "--quick")
    #expect(options?.repeats == 9 && options?.sizes == [1_000, 100_000, 1_000_000])
    let counting = try self.options("--callgrind", "/tmp/profile")
    #expect(counting?.callgrindOutput == "/tmp/profile" && counting?.sizes == [1_000, 10_000])
  }

  @Test("Invalid arguments are rejected with a one-line error")
  func refusals() {
    #expect(
      errorText("lunch")
        == "lunch: there is no such benchmark; there are diff, operations, layout, scroll, input, anchor, null, decode, "
        + "library, search, catalogue, launch and all")
    #expect(errorText("--fast") == "unknown option --fast; --help lists them")
    #expect(errorText("--n") == "--n needs a value: whole numbers from 2 to 100000000")
    #expect(errorText("--n", "5,") == "--n 5,: accepted are whole numbers from 2 to 100000000")
    #expect(errorText("--n", "1") == "--n 1: accepted are whole numbers from 2 to 100000000")
    #expect(errorText("--ids", "float") == "--ids float: accepted are int, uuid, string")
    #expect(errorText("--repeat", "3,4") == "--repeat takes one number")
    #expect(errorText("--repeat", "0") == "--repeat 0: accepted are a whole number from 1 to 1000")
    #expect(errorText("--callgrind") == "--callgrind needs a path")
  }

  @Test("The input benchmark uses ten million items by default")
  func input() throws {
    func input(_ words: String...) throws -> InputOptions? {
      if case .input(let options) = try BenchmarkCommand(["input"] + words) { return options }
      return nil
    }
    let defaults = try input()
    #expect(defaults?.items == 10_000_000 && defaults?.jumps == 10_000 && defaults?.refreshRate == 60)
    let custom = try input("--n", "5000", "--jumps", "700", "--notches", "150", "--refresh", "120", "--quick")
    #expect(custom?.items == 5_000 && custom?.jumps == 700 && custom?.notches == 150 && custom?.refreshRate == 120)
    #expect(try input("--quick")?.jumps == 1_000)
    #expect(errorText("input", "--jumps", "1") == "--jumps 1: accepted are whole numbers from 100 to 1000000")
    #expect(errorText("input", "--fast") == "unknown option --fast; --help lists them")
  }

  @Test("The catalogue benchmark needs the gallery and photographs")
  func catalogue() throws {
    let words = ["catalogue", "--program", "/v", "--photographs", "/p", "--libraries", "/l"]
    guard case .catalogue(let options) = try BenchmarkCommand(words + ["--n", "5000", "--quick"]) else {
      Issue.record("it was parsed as another command")
      return
    }
    #expect(options.sizes == [5_000] && options.repeats == 3 && options.libraries == "/l")
    #expect(
      errorText("catalogue", "--program", "/v")
        == "catalogue needs --program, --photographs and --libraries; scripts/bench gives them")
  }

  @Test("The anchor benchmark runs a million frames through ten million items by default")
  func anchor() throws {
    func anchor(_ words: String...) throws -> AnchorOptions? {
      if case .anchor(let options) = try BenchmarkCommand(["anchor"] + words) { return options }
      return nil
    }
    #expect(try anchor() == AnchorOptions([]) && anchor()?.items == 10_000_000 && anchor()?.frames == 1_000_000)
    #expect(try anchor("--quick")?.frames == 100_000)
    let options = try anchor("--n", "20000", "--frames", "100000000", "--seed", "7")
    #expect(options?.items == 20_000 && options?.frames == 100_000_000 && options?.seed == 7)
    #expect(errorText("anchor", "--n", "5") == "--n 5: accepted are whole numbers from 10000 to 100000000")
    #expect(errorText("anchor", "--fast") == "unknown option --fast; --help lists them")
  }

  @Test("The null benchmark runs for ten seconds at 60 Hz by default")
  func null() throws {
    func null(_ words: String...) throws -> NullOptions? {
      if case .null(let options) = try BenchmarkCommand(["null"] + words) { return options }
      return nil
    }
    #expect(try null()?.seconds == 10 && null()?.refreshRate == 60)
    #expect(try null("--seconds", "3", "--refresh", "120")?.refreshRate == 120)
    #expect(errorText("null", "--seconds", "0") == "--seconds 0: accepted are whole numbers from 1 to 3600")
    #expect(errorText("null", "--fast") == "unknown option --fast; --help lists them")
  }

  @Test("Repeated costs contain the minimum of each step")
  func repeatedCosts() {
    var costs = RepeatedCosts()
    #expect(costs.cost(at: 0.5) == nil)
    costs.add([5, 1, 9, 4])
    costs.add([3, 2, 9, 50])
    #expect(costs.cost(at: 0) == 1 && costs.cost(at: 0.5) == 3 && costs.cost(at: 0.99) == 9 && costs.cost(at: 1) == 9)
  }

  @Test("The layout benchmark sorts its sizes and measures all layouts by default")
  func layouts() throws {
    func options(_ words: String...) throws -> LayoutOptions? {
      guard case .layout(let options) = try BenchmarkCommand(["layout"] + words) else { return nil }
      return options
    }
    #expect(try options()?.kinds == LayoutKind.allCases)
    let chosen = try options("--n", "1000,500,1000", "--layouts", "justified,grid", "--instructions")
    #expect(chosen?.sizes == [500, 1_000] && chosen?.kinds == [.justified, .grid])
    #expect(try options("--callgrind", "/tmp/profile")?.sizes == [1_000, 10_000_000])
    #expect(
      errorText("layout", "--layouts", "wall")
        == "--layouts wall: accepted are grid, groups, mosaic, list, estimated, cards, justified, masonry")
    #expect(errorText("layout", "--quick") == "unknown option --quick; --help lists them")
  }

  @Test("The decoding benchmark requires a folder of pictures and a folder of peers")
  func decoding() throws {
    func options(_ words: String...) throws -> DecodeOptions? {
      if case .decode(let options) = try BenchmarkCommand(["decode", "--pictures", "a", "--peers", "b"] + words) {
        return options
      }
      return nil
    }
    let defaults = try options()
    #expect(defaults?.pictures == "a" && defaults?.peers == "b" && defaults?.decoder == nil)
    #expect(defaults?.sizes == [256, 512] && defaults?.repeats == 5)
    let chosen = try options("--repeat", "2", "--quick", "--sizes", "512,128", "--decoder", "c")
    #expect(chosen?.sizes == [128, 512] && chosen?.repeats == 2 && chosen?.decoder == "c")
    #expect(errorText("decode", "--peers", "b") == "decode needs --pictures FOLDER; scripts/bench makes one")
    #expect(errorText("decode", "--pictures", "a") == "decode needs --peers FOLDER; scripts/bench makes one")
    #expect(errorText("decode", "--pictures") == "--pictures needs a path")
    #expect(errorText("decode", "--sizes", "0") == "--sizes 0: accepted are whole numbers from 16 to 4096")
    #expect(errorText("decode", "--fast") == "unknown option --fast; --help lists them")
  }

  @Test("The operations benchmark sorts its sizes and removes duplicates")
  func operations() throws {
    func options(_ words: String...) throws -> OperationsOptions? {
      if case .operations(let options) = try BenchmarkCommand(["operations"] + words) { return options }
      return nil
    }
    let defaults = try options()
    #expect(defaults?.sizes == [1_000, 10_000, 100_000, 1_000_000])
    #expect(defaults?.kinds == [.int] && defaults?.repeats == 4)
    let custom = try options("--n", "20000,1000,20000", "--ids", "uuid", "--repeat", "2")
    #expect(custom?.sizes == [1_000, 20_000] && custom?.kinds == [.uuid] && custom?.repeats == 2)
    #expect(errorText("operations", "--n", "999") == "--n 999: accepted are whole numbers from 1000 to 10000000")
    #expect(errorText("operations", "--quick") == "unknown option --quick; --help lists them")
    #expect(errorText("operations", "--ids") == "--ids needs a value: int, uuid, string")
  }

  @Test("The scroll benchmark measures fewer frames in quick and counting runs")
  func scrolling() throws {
    func options(_ words: String...) throws -> ScrollOptions? {
      if case .scroll(let options) = try BenchmarkCommand(["scroll"] + words) { return options }
      return nil
    }
    let defaults = try options()
    #expect(defaults?.sizes == [1_000, 100_000, 10_000_000] && defaults?.refreshRates == [60, 120, 240])
    #expect(defaults?.frames == 1_200 && defaults?.callgrindOutput == nil)
    #expect(try options("--quick")?.frames == 240)
    let counting = try options("--callgrind", "/tmp/profile", "--frames", "100")
    #expect(counting?.sizes == [1_000, 10_000_000] && counting?.refreshRates == [60] && counting?.frames == 100)
    #expect(errorText("scroll", "--refresh", "5") == "--refresh 5: accepted are whole numbers from 10 to 1000")
    #expect(errorText("scroll", "--frames", "60,70") == "--frames takes one number")
    #expect(defaults?.measures == [.frames, .headroom, .rival, .endurance] && defaults?.headroomSeconds == 60)
    #expect(defaults?.endurance.sizes == [1_000_000] && defaults?.endurance.frames == 100_000)
    #expect(defaults?.endurance.refreshRates == [60] && counting?.measures == [.frames])
    let quick = try options("--quick")
    #expect(quick?.headroomSeconds == 20 && quick?.endurance.frames == 10_000)
    let chosen = try options(
      "--measure", "endurance,rival", "--frames", "90", "--n", "2000,500", "--refresh", "120", "--quick")
    #expect(chosen?.measures == [.endurance, .rival] && chosen?.frames == 90 && chosen?.endurance.frames == 90)
    #expect(chosen?.endurance.sizes == [500, 2_000] && chosen?.endurance.refreshRates == [120])
    #expect(
      errorText("scroll", "--measure", "speed")
        == "--measure speed: accepted are frames, headroom, rival, endurance")
    #expect(BenchmarkCommand.usage.contains("--measure WHAT"))
    #expect(ScrollMeasure.allCases.allSatisfy { BenchmarkCommand.usage.contains("\($0.rawValue): ") })
    #expect(errorText("scroll", "--repeat", "3") == "unknown option --repeat; --help lists them")
  }
}
