package dev.penstock.cli;

/** The exit codes of commands. */
final class CommandLineExit {
    static final int DONE = 0;
    static final int FAILED = 1;

    /** No memory or no threads are left; the JVM itself exits with this code without memory. */
    static final int EXHAUSTED = 3;

    /** EX_CONFIG of sysexits(3). */
    static final int BAD_CONFIGURATION = 78;

    private CommandLineExit() {}
}
