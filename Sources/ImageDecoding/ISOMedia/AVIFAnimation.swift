import VitrineGeometry
import VitrineImageDecodingCore
import VitrineImageMetadata

/// The frames of an AVIF image sequence, each of which covers the canvas.
final class AVIFAnimation: AnimationSource {
  private let decoder: LibAVIF
  private let header: ImageHeader
  private let backdrop: Backdrop
  private let frame: LibAVIF.Frame
  private var isFirst = true

  /// Opens a file, which must outlive the animation, or returns nil if it has a single frame.
  init?(
    _ file: UnsafeRawBufferPointer, header: ImageHeader, backdrop: Backdrop, limits: ImageLimits
  ) throws(DecodingError) {
    decoder = try LibAVIF.open(file, maximumPixels: limits.maximumPixels)
    guard decoder.frameCount > 1 else { return nil }
    frame = try decoder.frame()
    guard frame.planeBytes <= AVIFDecoder.maximumPlaneBytes else { return nil }
    guard header.cleanAperture != nil || frame.size == header.storedSize else {
      throw .damaged(detail: "two sizes in one file")
    }
    self.header = header
    self.backdrop = backdrop
  }

  func advance() throws(DecodingError) -> Int? {
    do {
      guard try decoder.nextFrame() else { return nil }
    } catch .damaged(let detail) {
      guard !isFirst else { throw .damaged(detail: detail) }
      return nil
    }
    isFirst = false
    return decoder.frameMilliseconds
  }

  func picture(
    for placement: Placement, _ interruption: DecodingInterruption
  ) throws(DecodingError) -> ReducedPicture {
    let aperture = header.cleanAperture
    let (left, top) = (Double(aperture?.x ?? 0), Double(aperture?.y ?? 0))
    let moved = placement.moved(right: left, down: top)
    let colors = decoder.colors
    let toneMapping = colors.hdrToneMapping
    let reducer = PlanarReducer(backdrop: backdrop, interruption: interruption, toneMapping: toneMapping)
    let picture = try decoder.currentPicture()
    guard picture.size == frame.size, aperture.map(picture.covers) ?? true else {
      throw .damaged(detail: "frames of several sizes")
    }
    var reduced = try reducer.reduce(picture, for: moved)
    reduced.colors = toneMapping == nil ? colors : .standard
    return reduced.cropped(left: left, top: top)
  }
}
