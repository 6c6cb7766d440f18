package dev.penstock.lab.race;

/** How much to measure. */
public enum Effort {
    /** One short block per contestant: metrics, no verdicts. */
    QUICK,
    /** Enough full-length blocks for verdicts. */
    FULL
}
