package dev.penstock.cli;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Asks before something that another may feel. */
final class Confirmation {
    private Confirmation() {}

    /**
     * Goes on when told so.
     *
     * @param given whether --yes was
     * @param what is about to happen, in words that make a question with a question mark behind them
     * @throws ParameterException when nobody is there to ask, or said no
     */
    static void ask(CommandLine command, boolean given, String what) {
        ask(
                command,
                given,
                what,
                Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .orElse(null));
    }

    private static void ask(CommandLine command, boolean given, String what, @Nullable Console console) {
        if (given) {
            return;
        }
        if (console == null) {
            throw new ParameterException(command, what + ": give --yes when that may be");
        }
        String answer = console.readLine("penstock: %s. May it? [y/N] ", what);
        if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
            throw new ParameterException(command, "nothing was done");
        }
    }
}
