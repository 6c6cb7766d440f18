package dev.penstock.lab.probe;

/** How an idle connection is ended by the peer or something on the way. */
public enum KillKind {
    /** It is closed in order: both sides know. */
    FIN,
    /** It is reset. */
    RST,
    /** Nothing is told: what is sent is never answered. */
    SILENT
}
