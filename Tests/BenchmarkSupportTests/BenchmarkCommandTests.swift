import BenchmarkSupport
import Testing

@Suite("The benchmark's command line")
struct BenchmarkCommandTests {
  private func options(_ words: String...) throws -> DiffOptions? {
    if case .diff(let options) = try BenchmarkCommand(words) { return options }
    return nil
  }

  private func refusal(_ words: String...) -> String? {
    do throws(CommandError) {
      _ = try BenchmarkCommand(words)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("measures differences by default, with or without saying so")
  func byDefault() throws {
    #expect(try options() == options("diff"))
    #expect(try options("--quick") == options("diff", "--quick"))
    #expect(try options()?.sizes == [1_000, 10_000, 100_000, 1_000_000, 10_000_000])
    #expect(try options()?.kinds == [.int, .uuid, .string])
    #expect(try BenchmarkCommand(["counter"]) == .counter)
    #expect(try BenchmarkCommand(["diff", "--n", "--help"]) == .help)
  }

  @Test("takes sizes, identifiers and runs")
  func values() throws {
    let options = try options("diff", "--n", "10,2000", "--ids", "string,int", "--repeat", "21", "--instructions")
    #expect(options?.sizes == [10, 2_000] && options?.kinds == [.string, .int] && options?.repeats == 21)
    #expect(options?.callgrindOutput == nil)
  }

  @Test("lets what is said outright stand against what is said in general, in any order")
  func precedence() throws {
    let options = try options("--repeat", "9", "--quick")
    #expect(options?.repeats == 9 && options?.sizes == [1_000, 100_000, 1_000_000])
    let counting = try self.options("--callgrind", "/tmp/profile")
    #expect(counting?.callgrindOutput == "/tmp/profile" && counting?.sizes == [1_000, 10_000])
  }

  @Test("refuses what it does not understand, in one line")
  func refusals() {
    #expect(
      refusal("lunch")
        == "lunch: there is no such benchmark; there are diff, operations, layout, scroll, input, null, decode, launch and "
        + "all")
    #expect(refusal("--fast") == "unknown option --fast; --help lists them")
    #expect(refusal("--n") == "--n needs a value: whole numbers from 2 to 100000000")
    #expect(refusal("--n", "5,") == "--n 5,: accepted are whole numbers from 2 to 100000000")
    #expect(refusal("--n", "1") == "--n 1: accepted are whole numbers from 2 to 100000000")
    #expect(refusal("--ids", "float") == "--ids float: accepted are int, uuid, string")
    #expect(refusal("--repeat", "3,4") == "--repeat takes one number")
    #expect(refusal("--repeat", "0") == "--repeat 0: accepted are a whole number from 1 to 1000")
    #expect(refusal("--callgrind") == "--callgrind needs a path")
  }

  @Test("measures input over ten million items unless told")
  func input() throws {
    func input(_ words: String...) throws -> InputOptions? {
      if case .input(let options) = try BenchmarkCommand(["input"] + words) { return options }
      return nil
    }
    let usual = try input()
    #expect(usual?.items == 10_000_000 && usual?.jumps == 10_000 && usual?.refreshRate == 60)
    let told = try input("--n", "5000", "--jumps", "700", "--notches", "150", "--refresh", "120", "--quick")
    #expect(told?.items == 5_000 && told?.jumps == 700 && told?.notches == 150 && told?.refreshRate == 120)
    #expect(try input("--quick")?.jumps == 1_000)
    #expect(refusal("input", "--jumps", "1") == "--jumps 1: accepted are whole numbers from 100 to 1000000")
    #expect(refusal("input", "--fast") == "unknown option --fast; --help lists them")
  }

  @Test("runs the loop without work for ten seconds at 60 Hz unless told")
  func null() throws {
    func null(_ words: String...) throws -> NullOptions? {
      if case .null(let options) = try BenchmarkCommand(["null"] + words) { return options }
      return nil
    }
    #expect(try null()?.seconds == 10 && null()?.refreshRate == 60)
    #expect(try null("--seconds", "3", "--refresh", "120")?.refreshRate == 120)
    #expect(refusal("null", "--seconds", "0") == "--seconds 0: accepted are whole numbers from 1 to 3600")
    #expect(refusal("null", "--fast") == "unknown option --fast; --help lists them")
  }

  @Test("takes the least of equal runs, step by step")
  func repeatedCosts() {
    var costs = RepeatedCosts()
    #expect(costs.cost(at: 0.5) == nil)
    costs.add([5, 1, 9, 4])
    costs.add([3, 2, 9, 50])
    #expect(costs.cost(at: 0) == 1 && costs.cost(at: 0.5) == 3 && costs.cost(at: 0.99) == 9 && costs.cost(at: 1) == 9)
  }

  @Test("measures layouts at ascending sizes, all unless told")
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
      refusal("layout", "--layouts", "wall")
        == "--layouts wall: accepted are grid, groups, mosaic, list, estimated, cards, justified")
    #expect(refusal("layout", "--quick") == "unknown option --quick; --help lists them")
  }

  @Test("measures decoding of a folder's pictures beside the peers in another")
  func decoding() throws {
    func options(_ words: String...) throws -> DecodeOptions? {
      if case .decode(let options) = try BenchmarkCommand(["decode", "--pictures", "a", "--peers", "b"] + words) {
        return options
      }
      return nil
    }
    let byDefault = try options()
    #expect(byDefault?.pictures == "a" && byDefault?.peers == "b" && byDefault?.decoder == nil)
    #expect(byDefault?.sizes == [256, 512] && byDefault?.repeats == 5)
    let chosen = try options("--repeat", "2", "--quick", "--sizes", "512,128", "--decoder", "c")
    #expect(chosen?.sizes == [128, 512] && chosen?.repeats == 2 && chosen?.decoder == "c")
    #expect(refusal("decode", "--peers", "b") == "decode needs --pictures FOLDER; scripts/bench makes one")
    #expect(refusal("decode", "--pictures", "a") == "decode needs --peers FOLDER; scripts/bench makes one")
    #expect(refusal("decode", "--pictures") == "--pictures needs a path")
    #expect(refusal("decode", "--sizes", "0") == "--sizes 0: accepted are whole numbers from 16 to 4096")
    #expect(refusal("decode", "--fast") == "unknown option --fast; --help lists them")
  }

  @Test("measures operations at ascending sizes, each once")
  func operations() throws {
    func options(_ words: String...) throws -> OperationsOptions? {
      if case .operations(let options) = try BenchmarkCommand(["operations"] + words) { return options }
      return nil
    }
    let byDefault = try options()
    #expect(byDefault?.sizes == [1_000, 10_000, 100_000, 1_000_000])
    #expect(byDefault?.kinds == [.int] && byDefault?.repeats == 4)
    let told = try options("--n", "20000,1000,20000", "--ids", "uuid", "--repeat", "2")
    #expect(told?.sizes == [1_000, 20_000] && told?.kinds == [.uuid] && told?.repeats == 2)
    #expect(refusal("operations", "--n", "999") == "--n 999: accepted are whole numbers from 1000 to 10000000")
    #expect(refusal("operations", "--quick") == "unknown option --quick; --help lists them")
    #expect(refusal("operations", "--ids") == "--ids needs a value: int, uuid, string")
  }

  @Test("measures frames that scroll, fewer of them where it is to be quick or to count")
  func scrolling() throws {
    func options(_ words: String...) throws -> ScrollOptions? {
      if case .scroll(let options) = try BenchmarkCommand(["scroll"] + words) { return options }
      return nil
    }
    let byDefault = try options()
    #expect(byDefault?.sizes == [1_000, 100_000, 10_000_000] && byDefault?.refreshRates == [60, 120, 240])
    #expect(byDefault?.frames == 1_200 && byDefault?.callgrindOutput == nil)
    #expect(try options("--quick")?.frames == 240)
    let counting = try options("--callgrind", "/tmp/profile", "--frames", "100")
    #expect(counting?.sizes == [1_000, 10_000_000] && counting?.refreshRates == [60] && counting?.frames == 100)
    #expect(refusal("scroll", "--refresh", "5") == "--refresh 5: accepted are whole numbers from 10 to 1000")
    #expect(refusal("scroll", "--frames", "60,70") == "--frames takes one number")
    #expect(byDefault?.measures == [.frames, .headroom, .rival, .endurance] && byDefault?.headroomSeconds == 60)
    #expect(byDefault?.endurance.sizes == [1_000_000] && byDefault?.endurance.frames == 100_000)
    #expect(byDefault?.endurance.refreshRates == [60] && counting?.measures == [.frames])
    let quick = try options("--quick")
    #expect(quick?.headroomSeconds == 20 && quick?.endurance.frames == 10_000)
    let chosen = try options(
      "--measure", "endurance,rival", "--frames", "90", "--n", "2000,500", "--refresh", "120", "--quick")
    #expect(chosen?.measures == [.endurance, .rival] && chosen?.frames == 90 && chosen?.endurance.frames == 90)
    #expect(chosen?.endurance.sizes == [500, 2_000] && chosen?.endurance.refreshRates == [120])
    #expect(
      refusal("scroll", "--measure", "speed")
        == "--measure speed: accepted are frames, headroom, rival, endurance")
    #expect(BenchmarkCommand.usage.contains("--measure WHAT"))
    #expect(ScrollMeasure.allCases.allSatisfy { BenchmarkCommand.usage.contains("\($0.rawValue): ") })
    #expect(refusal("scroll", "--repeat", "3") == "unknown option --repeat; --help lists them")
  }
}
