package dev.penstock.cli;

import dev.penstock.cli.top.AdminPages;
import dev.penstock.cli.top.AdminPages.Answer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code penstock reload URL}: makes a running gateway read its flow file again. */
@Command(
        name = "reload",
        description = {
            "Makes a running gateway read its flow file again. Flows without a change run on as they are;",
            "the others are replaced at once when all are ready, and finish their work. No request fails.",
            "An error in the file changes nothing."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "SIGHUP does the same, and serve --watch does it when the file changes.",
            "A gateway with a token needs it in the variable PENSTOCK_TOKEN.",
            "Exit codes: 0 done, or no change; 1 refused or not reachable; 2 wrong usage; 78 bad configuration.",
            "",
            "Example:  penstock reload http://127.0.0.1:9090"
        })
final class ReloadCommand extends Subcommand {
    private static final int BAD_FILE = 422;

    @Parameters(
            paramLabel = "URL",
            description = "The admin address of the gateway, for instance http://127.0.0.1:9090.")
    private String url = "";

    @Override
    public Integer call() throws Exception {
        try (AdminPages pages = AdminPages.of(url)) {
            Answer answer = pages.post("reload");
            if (answer.status() != 200) {
                answer.body().path("detail").asString("refused").lines().forEach(err()::println);
                return answer.status() == BAD_FILE ? CommandLineExit.BAD_CONFIGURATION : CommandLineExit.FAILED;
            }
            JsonNode generation = answer.body();
            out().println("generation " + generation.path("generation").asInt() + " since "
                    + generation.path("since").asString("") + ", by "
                    + generation.path("by").asString(""));
            generation.path("changes").forEach(line -> out().println("  " + line.asString("")));
            generation.path("flows").forEach(line -> out().println(line.asString("")));
            return CommandLineExit.DONE;
        }
    }
}
