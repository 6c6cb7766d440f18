package dev.penstock.cli;

import dev.penstock.gateway.callers.ApiKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code penstock key}: API keys for the callers of a gateway. */
@Command(
        name = "key",
        description = "Makes API keys for the callers of a gateway (from.http.auth.api_keys).",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example:  penstock key new shop"})
final class KeyCommand extends Subcommand {
    @Override
    public Integer call() {
        throw new IllegalArgumentException("add what to do: new");
    }

    /** Prints a new API key, and its line of the key file. */
    @Command(
            name = "new",
            description = {
                "Prints a new API key, and its line for the key file of from.http.auth.api_keys.",
                "The line has a hash of the key: the key itself is not stored anywhere."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "A line may have limits of its caller: rate=100/s burst=200 concurrency=20 priority=3.",
                "",
                "Example:  penstock key new shop"
            })
    void create(
            @Parameters(
                            paramLabel = "NAME",
                            description = "The name of the caller: letters, digits, - and _, at most 64.")
                    String name) {
        if (!ApiKey.isName(name)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a valid name; write 1 to 64 letters, digits, - and _, for instance shop");
        }
        ApiKey key = ApiKey.create(name);
        out().println("for the caller:   " + key.text());
        out().println("for the key file: " + key.line());
    }
}
