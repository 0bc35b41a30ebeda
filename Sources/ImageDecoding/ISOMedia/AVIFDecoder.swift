import Geometry
import ImageMetadata

/// Decodes AVIF, an animation's first frame, and averages its planes before they become colours.
struct AVIFDecoder {
  private let file: UnsafeRawBufferPointer
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption

  /// Bytes of decoded samples, at most: they are all in memory at once.
  static let mostPlaneBytes = 184 << 20

  init(_ file: UnsafeRawBufferPointer, backdrop: Backdrop, interruption: DecodingInterruption) {
    self.file = file
    self.backdrop = backdrop
    self.interruption = interruption
  }

  func decode(
    _ header: ImageHeader, for placement: Placement, mostPixels: Int
  ) throws(DecodingError) -> ReducedPicture {
    let decoder = try LibAVIF.open(file, mostPixels: mostPixels)
    let frame = try decoder.frame()
    let aperture = header.cleanAperture
    guard aperture != nil || frame.size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    guard frame.size.area * (frame.bits > 8 ? 2 : 1) * frame.halfPlanes / 2 <= AVIFDecoder.mostPlaneBytes else {
      throw .tooLarge(header.size)
    }
    let left = Double(aperture?.x ?? 0)
    let top = Double(aperture?.y ?? 0)
    let moved = placement.moved(right: left, down: top)
    let colors = decoder.colors
    let bright = colors.bright
    let reducer = PlanarReducer(backdrop: backdrop, interruption: interruption, bright: bright)
    try interruption.check()
    var reduced = try decoder.withPicture { picture throws(DecodingError) in
      guard picture.size == frame.size else { throw .damaged(detail: "two sizes in one file") }
      return try reducer.reduce(picture, for: moved)
    }
    reduced.colors = bright == nil ? colors : .standard
    return reduced.cropped(left: left, top: top)
  }
}
