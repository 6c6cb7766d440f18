package dev.penstock.cli;

import dev.penstock.gateway.file.FlowSchema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code penstock schema}: the JSON Schema of flow files. */
@Command(
        name = "schema",
        description = "Prints a JSON Schema (2020-12) of flow files, with which editors complete and check keys.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  penstock schema > penstock.schema.json"})
public final class SchemaCommand implements Callable<Integer> {
    @Mixin
    private LibOption lib = new LibOption();

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public SchemaCommand() {}

    @Override
    public Integer call() {
        try (ClientJars _ = lib.open()) {
            CommandLineExit.out(spec).print(FlowSchema.load().json());
            CommandLineExit.out(spec).flush();
            return CommandLineExit.DONE;
        } catch (IllegalArgumentException unfit) {
            throw new ParameterException(spec.commandLine(), String.valueOf(unfit.getMessage()), unfit);
        }
    }
}
