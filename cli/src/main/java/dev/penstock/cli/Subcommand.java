package dev.penstock.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * What subcommands have in common. An {@link IllegalArgumentException} that one throws is wrong usage: {@link Penstock} prints its
 * message, which says what to do.
 */
abstract class Subcommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Whether an option is on the command line. */
    final boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /** Rejects an option that has no effect without something else. */
    final void checkEffective(String option, boolean isEffective, String without) {
        if (!isEffective && isGiven(option)) {
            throw new IllegalArgumentException(option + " has no effect without " + without);
        }
    }
}
