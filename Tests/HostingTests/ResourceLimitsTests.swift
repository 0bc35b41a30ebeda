import Testing
import VitrineImagePipeline
import VitrineTestSupport

@testable import VitrineHosting

@Suite("The system's limits bound workers and memory")
struct ResourceLimitsTests {
  private let defaultConfiguration = ImagePipelineConfiguration(workers: 16, cacheBytes: 512 << 20)

  @Test("Without limits nothing is reduced and there is no notice")
  func unlimited() {
    var configuration = defaultConfiguration
    #expect(ResourceLimits().reduceToFit(&configuration) == nil)
    #expect(ResourceLimits(addressSpace: 1 << 40, descriptors: 1_024).reduceToFit(&configuration) == nil)
    #expect(
      configuration.workers == 16 && configuration.cacheBytes == 512 << 20 && configuration.slotBytes == 128 << 20)
  }

  @Test("A reduction is reported with its cause")
  func reportsReductions() throws {
    var configuration = defaultConfiguration
    let files = try #require(ResourceLimits(descriptors: 64).reduceToFit(&configuration))
    #expect(files == "open files are limited to 64 (ulimit -n): 1 decoding at a time in place of 16")
    configuration = defaultConfiguration
    let memory = try #require(ResourceLimits(addressSpace: 1_024 << 20).reduceToFit(&configuration))
    #expect(
      memory.hasPrefix(
        "the address space is limited to 1024 MB (ulimit -v): 5 decoding at a time in place of 16, 85 MB"))
  }

  @Test("Any accepted limit leaves at least one worker, and slots and images that fit", arguments: 1...5)
  func fits(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let limits = ResourceLimits(
        addressSpace: .random(in: 640 << 20...8 << 30, using: &generator),
        descriptors: .random(in: 40...2_000, using: &generator))
      var configuration = defaultConfiguration
      configuration.workers = .random(in: 1...64, using: &generator)
      let original = configuration
      let notice = limits.reduceToFit(&configuration)
      #expect(throws: Never.self) { try limits.validate() }
      #expect((1...original.workers).contains(configuration.workers) && configuration.slotBytes >= 16 << 20)
      let requiredBytes = 2 * configuration.workers * configuration.slotBytes + 2 * configuration.cacheBytes
      #expect(requiredBytes + (512 << 20) <= limits.addressSpace ?? 0, "\(limits)")
      #expect(28 + 12 * configuration.workers <= limits.descriptors ?? 0, "\(limits)")
      let isSmaller =
        configuration.workers < original.workers || configuration.cacheBytes < original.cacheBytes
        || configuration.slotBytes < original.slotBytes
      #expect((notice != nil) == isSmaller)
    }
  }

  @Test("Limits that are too low are rejected with the command that sets them")
  func refused() {
    for (limits, command) in [
      (ResourceLimits(addressSpace: 639 << 20), "ulimit -v"), (ResourceLimits(descriptors: 39), "ulimit -n"),
    ] {
      let error = #expect(throws: HostError.self) { try limits.validate() }
      #expect(error?.description.contains(command) == true)
    }
  }
}
