// A client that shows pictures imports VitrineImages alone: it exports the modules that load, decode and keep them.
//
// They are modules of their own because each can be tested without the others. A program that shows pictures needs the
// executable vitrine-decode, which decodes them in a process of its own. Pictures of the web are a product of their own,
// VitrineRemoteImages.

/// The format, size, orientation and camera of a picture, read from the header of its file.
@_exported public import VitrineImageMetadata
/// What the program and its decoding processes tell each other: pixel formats, limits, reasons for refusal.
@_exported public import VitrineDecodingProtocol
/// Requests, priorities, decoding processes, and the cache in memory.
@_exported public import VitrineImagePipeline
/// Thumbnails and previews on disk.
@_exported public import VitrineImageStore
