package dev.penstock.gateway.file;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Rule;
import dev.penstock.state.PrivateFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Which files other users must not be able to read. Files of keys are checked where their keys are read. */
final class PrivateFileRules {
    /** What a gateway keeps beside its state file, for all flows and for each. */
    private static final List<String> STORES = List.of("", ".keys.db", ".keys.db-wal", ".broker");

    private static final List<String> STORES_OF_FLOWS = List.of(".attempts.%s", "-%s.mv.db");

    static final List<Rule<?>> ALL = List.of(
            Rule.fileError("only the user of the gateway can read its stores", "state", PrivateFileRules::stores),
            Rule.fileWarning(
                    "only the user of the gateway can read the files of secrets",
                    "to.http.headers",
                    PrivateFileRules::secrets));

    private PrivateFileRules() {}

    private static void stores(GatewayConfig config, ConfigProblems problems) {
        Stream<String> ofFlows = config.flows().stream()
                .flatMap(flow -> STORES_OF_FLOWS.stream().map(suffix -> suffix.formatted(flow.name())));
        for (String suffix : Stream.concat(STORES.stream(), ofFlows).toList()) {
            Path store = config.besideState(suffix);
            String exposure = PrivateFiles.exposure(store);
            if (exposure != null) {
                problems.add(
                        config.state().locationOr(FileLocation.START),
                        "a store of this gateway is " + store + ", which " + exposure);
            }
        }
    }

    /** Not an error: platforms such as Kubernetes and Swarm make their files readable for all, in a container without others. */
    private static void secrets(GatewayConfig config, ConfigProblems warnings) {
        for (Path file : config.files().files()) {
            String exposure = PrivateFiles.exposure(file);
            if (exposure != null) {
                warnings.add("a secret is in " + file + ", which " + exposure);
            }
        }
    }
}
