// A client with reports and recordings imports VitrineDiagnostics, which exports the window that they are about.

/// Windows, and what they show.
@_exported public import VitrineHosting
