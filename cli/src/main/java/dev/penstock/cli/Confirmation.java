package dev.penstock.cli;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Asks for confirmation before an action that affects a remote system. */
final class Confirmation {
    private Confirmation() {}

    /**
     * Returns if the action is confirmed.
     *
     * @param given whether --yes is given
     * @param what the action, as a clause
     * @throws ParameterException there is no terminal to ask on, or the answer is no
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
            throw new ParameterException(command, what + ": confirm with --yes");
        }
        String answer = console.readLine("penstock: %s. Continue? [y/N] ", what);
        if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
            throw new ParameterException(command, "cancelled");
        }
    }
}
