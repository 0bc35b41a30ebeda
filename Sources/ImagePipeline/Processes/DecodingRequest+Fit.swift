import DecodingProtocol

extension DecodingRequest.Fit {
  /// A fit as it is written in a record.
  init(_ fit: ImageFit) {
    self =
      switch fit {
      case .fill: .fill
      case .fit: .fit
      case .fillWithoutEnlarging: .fillWithoutEnlarging
      }
  }
}
