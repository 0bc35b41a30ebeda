import DecodingProtocol
import ImageDecoding

extension DecodingStatus {
  /// What a failure is called on the socket.
  init(_ error: DecodingError) {
    self =
      switch error {
      case .emptyFile: .emptyFile
      case .notAPicture: .notAPicture
      case .unsupported: .unsupportedFormat
      case .damaged: .damaged
      case .tooLarge: .tooLarge
      case .tooMuchMetadata: .tooMuchMetadata
      case .tooManyPasses: .tooManyPasses
      case .bufferTooSmall: .slotTooSmall
      case .outOfMemory: .outOfMemory
      case .noPreview: .noPreview
      case .interrupted: .interrupted
      }
  }
}
