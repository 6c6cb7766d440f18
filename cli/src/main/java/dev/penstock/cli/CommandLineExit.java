package dev.penstock.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The exit codes of commands, and their output streams. */
final class CommandLineExit {
    static final int DONE = 0;
    static final int FAILED = 1;

    /** No memory or no threads are left; the JVM itself exits with this code without memory. */
    static final int EXHAUSTED = 3;

    /** EX_CONFIG of sysexits(3). */
    static final int BAD_CONFIGURATION = 78;

    private CommandLineExit() {}

    static PrintWriter out(CommandSpec spec) {
        return spec.commandLine().getOut();
    }

    /** Whether stack traces are enabled. {@code --debug} belongs to the root command, which may be absent in tests. */
    static boolean debug(CommandSpec spec) {
        OptionSpec debug = spec.root().findOption("--debug");
        return debug != null && Boolean.TRUE.equals(debug.getValue());
    }

    static PrintWriter err(CommandSpec spec) {
        return spec.commandLine().getErr();
    }
}
