// A client with sample files imports VitrineSampleLibrary, which exports what its functions return.

/// Paths of photographs.
@_exported public import VitrinePhotoLibrary
