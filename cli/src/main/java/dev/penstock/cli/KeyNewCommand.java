package dev.penstock.cli;

import dev.penstock.gateway.callers.ApiKey;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock key new NAME}: a new API key, and its line of the key file. */
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
public final class KeyNewCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The name of the caller: letters, digits, - and _, at most 64.")
    private String name = "";

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public KeyNewCommand() {}

    @Override
    public Integer call() {
        if (!ApiKey.isName(name)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + name + "' is not a valid name; write 1 to 64 letters, digits, - and _, for instance shop");
        }
        ApiKey key = ApiKey.create(name);
        PrintWriter out = CommandLineExit.out(spec);
        out.println("for the caller:   " + key.text());
        out.println("for the key file: " + key.line());
        return CommandLineExit.DONE;
    }
}
