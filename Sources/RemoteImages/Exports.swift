// A client with pictures of the web imports VitrineRemoteImages, which exports the pipeline that downloads them.

/// Requests, decoding processes, and the cache in memory.
@_exported public import VitrineImagePipeline
