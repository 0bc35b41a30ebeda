import Glibc
import Testing
import VitrineSDLBackend

@Suite("The renderer is chosen by inexpensive checks first")
struct RendererPlanTests {
  private let present = GraphicsHardware.likely("/dev/dri/renderD128")
  private let absent = GraphicsHardware.none("no render node in /dev/dri")

  @Test("Without hardware, painting in memory is chosen immediately, with the reason")
  func withoutHardware() {
    let plan = RendererPlan(preference: .auto, isHeadless: false, hardware: absent)
    #expect(plan.driver == .memory && !plan.allowsFallback)
    #expect(plan.reason == "no graphics hardware: no render node in /dev/dri")
  }

  @Test("With hardware OpenGL is chosen, until it reports a software device or fails")
  func withHardware() throws {
    let plan = RendererPlan(preference: .auto, isHeadless: false, hardware: present)
    #expect(plan.driver == .opengl && plan.allowsFallback)
    #expect(plan.fallback(device: "Mesa Intel(R) Iris(R) Xe Graphics (TGL GT2)") == nil)
    #expect(plan.fallback(device: nil) == nil)
    let devices = [
      "llvmpipe (LLVM 15.0.6, 256 bits)", "softpipe", "Software Rasterizer", "Google SwiftShader",
      "zink Vulkan 1.3(llvmpipe (LLVM 15.0.6, 256 bits) (MESA_LLVMPIPE))",
    ]
    for device in devices {
      let fallback = try #require(plan.fallback(device: device))
      #expect(fallback.driver == .memory && fallback.reason.contains(device))
      #expect(fallback.fallback(failure: "no") == nil && fallback.fallback(device: device) == nil)
    }
    #expect(plan.fallback(failure: "GLX is missing")?.reason == "OpenGL failed: GLX is missing")
  }

  @Test(
    "A requested renderer is used on any hardware",
    arguments: [
      (.sdl, .sdl), (.memory, .memory), (.opengl, .opengl), (.opengles2, .opengles2),
    ] as [(RendererPreference, RendererDriver)])
  func requestedRenderers(preference: RendererPreference, driver: RendererDriver) {
    for hardware in [present, absent] {
      for isHeadless in [true, false] {
        let plan = RendererPlan(preference: preference, isHeadless: isHeadless, hardware: hardware)
        #expect(plan.driver == driver && plan.reason == "requested")
        #expect(plan.fallback(device: "llvmpipe") == nil && plan.fallback(failure: "no") == nil)
      }
    }
  }

  @Test("A renderer that fails during a run is replaced by painting in memory, which has no successor")
  func successors() {
    for (preference, title) in [
      (.sdl, "SDL's software renderer"), (.opengl, "OpenGL"), (.opengles2, "OpenGL ES 2"), (.auto, "OpenGL"),
    ] as [(RendererPreference, String)] {
      let plan = RendererPlan(preference: preference, isHeadless: false, hardware: present)
      let next = plan.successor(afterFailure: "copy a texture: lost")
      #expect(next?.driver == .memory && next?.reason == "\(title) failed: copy a texture: lost")
      #expect(next?.successor(afterFailure: "no memory") == nil)
    }
  }

  @Test("Without a window, SDL textures are chosen")
  func headless() {
    let plan = RendererPlan(preference: .auto, isHeadless: true, hardware: present)
    #expect(plan.driver == .sdl && plan.reason == "no window")
    #expect(plan.fallback(failure: "no surface")?.driver == .memory)
  }

  @Test("Hardware is detected by a usable render node")
  func probing() throws {
    var template = Array("/tmp/vitrine-dev-XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    #expect(made != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for name in ["dri/card0", "dri/renderD129", "dri/renderD128"] { unlink("\(folder)/\(name)") }
      rmdir("\(folder)/dri")
      rmdir(folder)
    }
    // Mesa's switch in the environment of the test process takes precedence over any file.
    guard getenv("LIBGL_ALWAYS_SOFTWARE") == nil else { return }
    #expect(GraphicsHardware.probe(devices: folder) == .none("no render node in \(folder)/dri"))
    mkdir("\(folder)/dri", 0o700)
    close(creat("\(folder)/dri/card0", 0o600))
    #expect(GraphicsHardware.probe(devices: folder) == .none("no render node in \(folder)/dri"))
    close(creat("\(folder)/dri/renderD129", 0o600))
    close(creat("\(folder)/dri/renderD128", 0o600))
    #expect(GraphicsHardware.probe(devices: folder) == .likely("\(folder)/dri/renderD128"))
  }
}
