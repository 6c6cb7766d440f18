package dev.penstock.cli;

import dev.penstock.gateway.file.FlowSchema;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
public final class ExplainCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "KEY",
            arity = "0..1",
            description = "The key, with as much of its path as needed: pool.max, or flows.NAME.pool.max.")
    private @Nullable String key;

    @Mixin
    private LibOption lib = new LibOption();

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public ExplainCommand() {}

    @Override
    public Integer call() {
        try (ClientJars _ = lib.open()) {
            FlowSchema schema = FlowSchema.load();
            CommandLineExit.out(spec)
                    .print(key == null ? String.join("\n", schema.paths()) + "\n" : schema.explain(key));
            CommandLineExit.out(spec).flush();
            return CommandLineExit.DONE;
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(spec.commandLine(), String.valueOf(unknown.getMessage()), unknown);
        }
    }
}
