import Glibc
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineHosting
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineRendering

/// The report of `--about`: versions, display, clock, decoders and sandbox.
struct AboutReport {
  private let options: HostingOptions
  private let launch: FrameInstant
  private let interrupt: Interrupt

  init(_ options: HostingOptions, launch: FrameInstant, interrupt: Interrupt) {
    self.options = options
    self.launch = launch
    self.interrupt = interrupt
  }

  /// The report, with one line per fact.
  ///
  /// A fact that is unavailable is reported as such.
  var text: String {
    let facts =
      [
        ("vitrine", Version.number), ("SDL", Host.sdlVersion), ("kernel", AboutReport.kernel),
        ("memory", AboutReport.memory),
      ]
      + display + decoding
    return facts.map { name, value in
      name + String(repeating: " ", count: max(1, 12 - name.count)) + value + "\n"
    }.joined()
  }

  /// The kernel's release, which determines the available sandbox layers.
  ///
  /// The C function is `uname`.
  private static var kernel: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "unknown" }
    return withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The memory that this process may use, and the part of it that images may take in the largest window.
  private static var memory: String {
    guard let limit = ProcessFigures.memoryLimit else { return "unknown" }
    let (all, pictures) = (limit >> 20, UserEnvironment.cacheBytes(isSimulated: false) >> 20)
    return
      "\(all) MB, of which pictures may take \(pictures): \(ImageCache.cachedScreenCount) screens of the window at most"
  }

  private var display: [(String, String)] {
    do throws(DisplayError) {
      let host = try Host(
        options: options, title: "Vitrine", identifier: GalleryProgram.identifier, version: Version.number,
        launch: launch,
        interrupt: interrupt)
      defer { host.close() }
      return [
        ("display", host.rendererDescription), ("clock", host.clockDescription),
        ("frames", host.frameThreadDescription),
      ]
    } catch {
      return [("display", "none: \(error)"), ("frames", Host.requestFrameThread())]
    }
  }

  /// The formats of the table that the decoding process refuses.
  private static func formats(notIn decoded: [ImageFormat]) -> String {
    ImageFormat.table.filter { !decoded.contains($0.format) }
      .map { $0.decoding == .none ? $0.name : "\($0.name) (only in a sandbox)" }.joined(separator: ", ")
  }

  private var decoding: [(String, String)] {
    guard let size = PixelSize(width: 1, height: 1) else { return [] }
    do throws(DecodingProcessError) {
      let process = try EncodingProcess(largest: size)
      let layers = process.layers ?? []
      let missing = SandboxLayers.all.subtracting(layers).names
      return [
        ("decoders", process.formats.map(\.name).joined(separator: ", ")),
        ("not shown", AboutReport.formats(notIn: process.formats)),
        ("sandbox", (layers.isSandbox ? "up: " : "not up: ") + layers.names.joined(separator: ", ")),
        ("not there", missing.isEmpty ? "nothing" : missing.joined(separator: ", ")),
      ]
    } catch {
      return [("decoders", "none: \(error)")]
    }
  }
}
