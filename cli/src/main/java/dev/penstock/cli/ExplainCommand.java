package dev.penstock.cli;

import dev.penstock.gateway.file.FlowSchema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code penstock explain KEY}: what a key of the flow file is. */
@Command(
        name = "explain",
        description = "Explains a key of the flow file: what it sets, its values and its default.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Without KEY it lists all keys.",
            "",
            "Example:  penstock explain retry.attempts",
            "          penstock explain from.http"
        })
final class ExplainCommand extends Subcommand {
    @Parameters(
            paramLabel = "KEY",
            arity = "0..1",
            description = "The key, with as much of its path as needed: pool.max, or flows.NAME.pool.max.")
    private @Nullable String key;

    @Mixin
    private LibOption lib = new LibOption();

    @Override
    public Integer call() {
        try (ClientJars _ = lib.open()) {
            FlowSchema schema = FlowSchema.load();
            out().print(key == null ? String.join("\n", schema.paths()) + "\n" : schema.explain(key));
            return CommandLineExit.DONE;
        }
    }
}
