// A client that decodes in its own process imports VitrineImageDecoding, which exports the module of the common formats.
// That one is a module of its own because a program that decodes only these formats must not load the libraries of TIFF,
// AVIF and HEIC.

/// `ImageDecoder`, `AnimationDecoder`, and the decoders of JPEG, PNG, WebP, GIF, BMP and QOI.
@_exported public import VitrineImageDecodingCore
