import DecodingProtocol
import ImageDecoding

extension FitMode {
  /// A fit as a record names it.
  init(_ fit: DecodingRequest.Fit) {
    self =
      switch fit {
      case .fill: .fill
      case .fit: .fit
      case .fillWithoutEnlarging: .fillWithoutEnlarging
      }
  }
}
