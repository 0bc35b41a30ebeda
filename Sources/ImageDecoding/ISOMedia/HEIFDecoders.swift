import VitrineGeometry
import VitrineImageDecodingCore
import VitrineImageMetadata

/// A decoder for HEIC that uses the embedded preview if it has enough pixels, at a seventieth of the cost, and the
/// image otherwise.
struct HEICDecoder {
  private let file: UnsafeRawBufferPointer
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption

  init(_ file: UnsafeRawBufferPointer, backdrop: Backdrop, interruption: DecodingInterruption) {
    self.file = file
    self.backdrop = backdrop
    self.interruption = interruption
  }

  func decode(
    _ header: ImageHeader, for placement: Placement, representation: DecodingRepresentation
  ) throws(DecodingError) -> ReducedPicture {
    guard ItemReferences(file).areValid else { throw .damaged(detail: "items that are made of themselves") }
    let decoder = try LibHEIF.open(file)
    guard let size = decoder.size, let stored = header.storedSize else { throw .damaged(detail: "no size") }
    let aperture = header.cleanAperture
    guard aperture != nil || size == stored else { throw .damaged(detail: "two sizes in one file") }
    try interruption.check()
    let table = ItemTable(file)
    guard table.isValid else { throw .damaged(detail: "items that are described twice, or too many") }
    var memory = HEICMemory(table)
    let budget = HEICMemory.maximumBytes - file.count
    let isTooLarge = memory.bytes(for: table.primary) > budget
    let isPreviewTooLarge = decoder.thumbnailItem.map { memory.bytes(for: $0) > budget } ?? true
    // The result has the orientation of the image, so a preview with another orientation cannot replace it.
    let hasSameOrientation =
      decoder.thumbnailItem.map { table[$0].transforms == table[table.primary].transforms } ?? false
    try interruption.check()
    if let preview = EmbeddedPreview(decoder.thumbnailSize, of: aperture == nil ? size : stored), !isPreviewTooLarge,
      hasSameOrientation
    {
      let isEnough = preview.hasPixels(for: placement)
      if representation == .embedded || isEnough || (isTooLarge && representation == .full) {
        return try decodePreview(decoder, preview, placement)
      }
    }
    guard representation == .full else { throw .noPreview }
    guard !isTooLarge else { throw .tooLarge(header.size) }

    let left = Double(aperture?.x ?? 0)
    let top = Double(aperture?.y ?? 0)
    let moved = placement.moved(right: left, down: top)
    let colors = decoder.colors
    let toneMapping = colors.hdrToneMapping
    let reducer = PlanarReducer(backdrop: backdrop, interruption: interruption, toneMapping: toneMapping)
    var reduced = try decoder.withPicture(isThumbnail: false) { picture throws(DecodingError) in
      guard picture.covers(size), aperture.map(picture.covers) ?? true else {
        throw .damaged(detail: "two sizes in one file")
      }
      return try reducer.reduce(picture, for: moved)
    }
    reduced.colors = toneMapping == nil ? colors : .standard
    return reduced.cropped(left: left, top: top)
  }

  private func decodePreview(
    _ decoder: borrowing LibHEIF, _ preview: EmbeddedPreview, _ placement: Placement
  ) throws(DecodingError) -> ReducedPicture {
    let colors = decoder.colors
    let toneMapping = colors.hdrToneMapping
    let reducer = PlanarReducer(backdrop: backdrop, interruption: interruption, toneMapping: toneMapping)
    let own = preview.placement(for: placement)
    var reduced = try decoder.withPicture(isThumbnail: true) { picture throws(DecodingError) in
      guard picture.covers(preview.size) else { throw .damaged(detail: "two sizes in one file") }
      return try reducer.reduce(picture, for: own)
    }
    reduced.colors = toneMapping == nil ? colors : .standard
    // The coded pixels of a preview may extend beyond it, too.
    return reduced.reinterpreted(as: preview.picture, from: preview.size).cropped(left: 0, top: 0)
  }
}

/// A decoder for AVIF, or the first frame of an animation, that averages the planes before converting them to RGB.
struct AVIFDecoder {
  private let file: UnsafeRawBufferPointer
  private let backdrop: Backdrop
  private let interruption: DecodingInterruption

  /// The maximum size in bytes of the decoded samples, which are all in memory at the same time.
  static let maximumPlaneBytes = 184 << 20

  init(_ file: UnsafeRawBufferPointer, backdrop: Backdrop, interruption: DecodingInterruption) {
    self.file = file
    self.backdrop = backdrop
    self.interruption = interruption
  }

  func decode(
    _ header: ImageHeader, for placement: Placement, maximumPixels: Int
  ) throws(DecodingError) -> ReducedPicture {
    let decoder = try LibAVIF.open(file, maximumPixels: maximumPixels)
    let frame = try decoder.frame()
    let aperture = header.cleanAperture
    guard aperture != nil || frame.size == header.storedSize else { throw .damaged(detail: "two sizes in one file") }
    guard frame.planeBytes <= AVIFDecoder.maximumPlaneBytes else {
      throw .tooLarge(header.size)
    }
    let left = Double(aperture?.x ?? 0)
    let top = Double(aperture?.y ?? 0)
    let moved = placement.moved(right: left, down: top)
    let colors = decoder.colors
    let toneMapping = colors.hdrToneMapping
    let reducer = PlanarReducer(backdrop: backdrop, interruption: interruption, toneMapping: toneMapping)
    try interruption.check()
    var reduced = try decoder.withPicture { picture throws(DecodingError) in
      guard picture.size == frame.size, aperture.map(picture.covers) ?? true else {
        throw .damaged(detail: "two sizes in one file")
      }
      return try reducer.reduce(picture, for: moved)
    }
    reduced.colors = toneMapping == nil ? colors : .standard
    return reduced.cropped(left: left, top: top)
  }
}

extension PlanarPicture {
  /// Returns whether the planes contain all pixels of an image of the given size.
  func covers(_ image: PixelSize) -> Bool { size.width >= image.width && size.height >= image.height }

  /// Returns whether the planes contain all pixels of an aperture.
  func covers(_ aperture: PixelRect) -> Bool {
    aperture.x >= 0 && aperture.y >= 0 && Int(aperture.maxX) <= size.width && Int(aperture.maxY) <= size.height
  }
}
