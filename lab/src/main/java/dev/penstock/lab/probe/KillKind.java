package dev.penstock.lab.probe;

/** How an idle connection is killed by the peer or by a middlebox. */
public enum KillKind {
    /** Closed with FIN: both sides are notified. */
    FIN,
    /** Reset with RST. */
    RST,
    /** Dropped without notification: requests get no answer. */
    SILENT
}
