package dev.penstock.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code penstock key}: API keys for the callers of a gateway. */
@Command(
        name = "key",
        description = "Makes API keys for the callers of a gateway (from.http.auth.api_keys).",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = KeyNewCommand.class,
        footer = {"", "Example:  penstock key new shop"})
public final class KeyCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public KeyCommand() {}

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "add what to do: new");
        }
    }
}
