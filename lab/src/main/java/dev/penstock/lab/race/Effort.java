package dev.penstock.lab.race;

/** How much is measured. */
public enum Effort {
    /** One short block each: figures, no verdicts. */
    QUICK,
    /** Enough blocks of full length for verdicts. */
    FULL
}
