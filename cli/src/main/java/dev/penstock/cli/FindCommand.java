package dev.penstock.cli;

import dev.penstock.cli.find.Found;
import dev.penstock.cli.find.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock find}: prints the life of transactions. */
@Command(
        name = "find",
        description = {
            "Prints the life of a transaction as a time line: its waits, attempts and ending.",
            "Finds it by its id, the id of its trace, or its idempotency key; or all with some ending."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The flow file needs transactions: { sample: errors+slow+1% }. The id of a failed transaction is the",
            "instance of its problem document. A gateway with a token needs it in the variable PENSTOCK_TOKEN.",
            "Exit codes: 0 found, 1 not found, 2 wrong usage, 78 bad configuration.",
            "",
            "Example:  penstock find 0199f3c2-7d1e-7abc-9def-0123456789ab flows.yaml",
            "          penstock find order-4711 http://127.0.0.1:9090",
            "          penstock find --flow payments --ending unknown --since 10m flows.yaml"
        })
final class FindCommand extends Subcommand {
    private static final Set<String> ENDINGS = Set.of("answered", "rejected", "failed", "unknown");

    @Parameters(
            arity = "1..2",
            paramLabel = "[ID|KEY] PLACE",
            description = {
                "The id or key, unless an option says which transactions; and where to search: a flow file,",
                "a file or folder of records (transactions.jsonl), or the admin address of a running gateway."
            })
    private List<String> given = List.of();

    @Option(names = "--flow", paramLabel = "NAME", description = "Only transactions of this flow.")
    private @Nullable String flow;

    @Option(
            names = "--ending",
            paramLabel = "ENDING",
            description = "Only those that ended so: answered, rejected, failed or unknown.")
    private @Nullable String ending;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only those that began in this time until now, for instance 10m.")
    private @Nullable Duration since;

    @Override
    public Integer call() throws Exception {
        if (ending != null && !ENDINGS.contains(ending)) {
            throw new IllegalArgumentException("--ending must be answered, rejected, failed or unknown, not " + ending);
        }
        if (given.size() < 2 && flow == null && ending == null && since == null) {
            throw new IllegalArgumentException("give an id or a key before the place, or --flow, --ending or --since");
        }
        Wanted wanted = Wanted.of(given.size() < 2 ? null : given.getFirst(), flow, ending, since);
        Found found = Found.in(given.getLast(), wanted);
        out().print(found.text());
        found.notes().forEach(note -> err().println("penstock: " + note));
        if (found.isEmpty()) {
            err().println("penstock: no such transaction is found; it may not have been sampled (transactions.sample)");
        }
        return found.isEmpty() ? CommandLineExit.FAILED : CommandLineExit.DONE;
    }
}
