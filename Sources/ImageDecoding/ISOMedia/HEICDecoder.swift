import Geometry
import ImageMetadata

/// Decodes HEIC: its preview where that has pixels enough, which costs a seventieth, and otherwise the picture.
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
    _ header: ImageHeader, for placement: Placement, rung: DecodingRung
  ) throws(DecodingError) -> ReducedPicture {
    guard ItemReferences(file).areSound else { throw .damaged(detail: "items that are made of themselves") }
    let decoder = try LibHEIF.open(file)
    guard let size = decoder.size, let stored = header.storedSize else { throw .damaged(detail: "no size") }
    let aperture = header.cleanAperture
    guard aperture != nil || size == stored else { throw .damaged(detail: "two sizes in one file") }
    try interruption.check()
    let table = ItemTable(file)
    guard table.isSound else { throw .damaged(detail: "items that are described twice, or too many") }
    var memory = HEICMemory(table)
    let room = HEICMemory.most - file.count
    let isTooLarge = memory.bytes(for: table.primary) > room
    let isPreviewTooLarge = decoder.thumbnailItem.map { memory.bytes(for: $0) > room } ?? true
    // The result is turned as the picture is; a preview that stands otherwise cannot stand for it.
    let isTurnedAlike = decoder.thumbnailItem.map { table[$0].turns == table[table.primary].turns } ?? false
    try interruption.check()
    if let preview = EmbeddedPreview(decoder.thumbnailSize, of: aperture == nil ? size : stored), !isPreviewTooLarge,
      isTurnedAlike
    {
      let isEnough = preview.hasPixels(for: placement)
      if rung == .embedded || isEnough || (isTooLarge && rung == .full) {
        return try decodePreview(decoder, preview, placement)
      }
    }
    guard rung == .full else { throw .noPreview }
    guard !isTooLarge else { throw .tooLarge(header.size) }

    let left = Double(aperture?.x ?? 0)
    let top = Double(aperture?.y ?? 0)
    let moved = placement.moved(right: left, down: top)
    let colors = decoder.colors
    let bright = colors.bright
    let reducer = PlanarReducer(backdrop: backdrop, interruption: interruption, bright: bright)
    var reduced = try decoder.withPicture(isThumbnail: false) { picture throws(DecodingError) in
      guard picture.size.width >= size.width, picture.size.height >= size.height else {
        throw .damaged(detail: "two sizes in one file")
      }
      return try reducer.reduce(picture, for: moved)
    }
    reduced.colors = bright == nil ? colors : .standard
    return reduced.cropped(left: left, top: top)
  }

  private func decodePreview(
    _ decoder: borrowing LibHEIF, _ preview: EmbeddedPreview, _ placement: Placement
  ) throws(DecodingError) -> ReducedPicture {
    let colors = decoder.colors
    let bright = colors.bright
    let reducer = PlanarReducer(backdrop: backdrop, interruption: interruption, bright: bright)
    let own = preview.placement(for: placement)
    var reduced = try decoder.withPicture(isThumbnail: true) { picture throws(DecodingError) in
      try reducer.reduce(picture, for: own)
    }
    reduced.colors = bright == nil ? colors : .standard
    return reduced.standingFor(preview.picture, insteadOf: preview.size)
  }
}
