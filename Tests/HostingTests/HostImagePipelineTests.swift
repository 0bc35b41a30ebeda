import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRendering
import VitrineViews

@testable import VitrineHosting

@Suite("Image pipelines of a host", .serialized)
@MainActor
struct HostImagePipelineTests {
  @Test("Outcomes arrive in the frames of the host's run, and closing the host ends them")
  func delivery() throws {
    var options = HostingOptions()
    (options.isHeadless, options.clock, options.duration) = (true, .virtual, 1)
    let host = try VitrineHosting.Host(options: options, title: "Pictures")
    let configuration = ImagePipelineConfiguration(workers: 1, helperPath: "/nonexistent")
    #expect(!configuration.isHelperAvailable)
    #expect(ImagePipelineConfiguration(helperPath: "/bin/true").isHelperAvailable)
    let pipeline = try host.makeImagePipeline(configuration)
    #expect(pipeline.isIdle)
    var outcomes: [ImageOutcome] = []
    let size = try #require(PixelSize(width: 8, height: 8))
    let image = StoredImage(path: Array("/nonexistent.jpg".utf8))
    _ = try host.run(root: View(), scrollView: nil) { _, _ in
      image.prepareThumbnail(of: size, in: pipeline) { outcomes.append($0) }
    }
    #expect(outcomes.count == 1)
    #expect(pipeline.screen == PixelSize(width: 1_280, height: 800))
    host.close()
    image.prepareThumbnail(of: size, in: pipeline) { outcomes.append($0) }
    #expect(pipeline.collect(at: host.clock.now()).isEmpty && outcomes.count == 1)
  }
}
