package dev.penstock.cli;

import dev.penstock.gateway.file.FlowSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code penstock schema}: the JSON Schema of flow files. */
@Command(
        name = "schema",
        description = "Prints a JSON Schema (2020-12) of flow files, with which editors complete and check keys.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  penstock schema > penstock.schema.json"})
final class SchemaCommand extends Subcommand {
    @Mixin
    private LibOption lib = new LibOption();

    @Override
    public Integer call() {
        try (ClientJars _ = lib.open()) {
            out().print(FlowSchema.load().json());
            return CommandLineExit.DONE;
        }
    }
}
