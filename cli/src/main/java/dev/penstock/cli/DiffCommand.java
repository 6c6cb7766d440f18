package dev.penstock.cli;

import dev.penstock.cli.top.AdminPages;
import dev.penstock.gateway.config.FileKeys;
import dev.penstock.gateway.file.FlowFile;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code penstock diff FILE URL}: shows what a reload would change. */
@Command(
        name = "diff",
        description = {
            "Shows, key by key, what a flow file would change in a running gateway, and how that takes effect.",
            "Changes nothing. The file is validated first, as check does."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Values are compared as written: a change behind a placeholder, or of a secret, is not shown.",
            "A gateway with a token needs it in the variable PENSTOCK_TOKEN.",
            "Exit codes: 0 compared, 1 not reachable, 2 wrong usage, 78 bad configuration.",
            "",
            "Example:  penstock diff flows.yaml http://127.0.0.1:9090"
        })
final class DiffCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "The flow file.")
    private Path file = Path.of("flows.yaml");

    @Parameters(
            index = "1",
            paramLabel = "URL",
            description = "The admin address of the gateway, for instance http://127.0.0.1:9090.")
    private String url = "";

    @Mixin
    private LibOption lib = new LibOption();

    @Override
    public Integer call() throws Exception {
        try (ClientJars _ = lib.openFor(file);
                AdminPages pages = AdminPages.of(url)) {
            FileKeys given = FileKeys.ofShown(FlowFile.read(file).keys().shown());
            JsonNode running = pages.json("file");
            TreeMap<String, String> keys = new TreeMap<>();
            running.path("keys").forEachEntry((key, value) -> keys.put(key, value.asString("")));
            List<FileKeys.Change> changes = FileKeys.ofShown(keys).changes(given);
            changes.forEach(change -> out().println(change.sentence() + " (" + change.effect() + ")"));
            if (changes.isEmpty()) {
                out().println("no difference to generation "
                        + running.path("generation").asInt());
            }
            return CommandLineExit.DONE;
        }
    }
}
