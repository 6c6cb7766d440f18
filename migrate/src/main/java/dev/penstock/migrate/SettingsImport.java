package dev.penstock.migrate;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.migrate.FlowText.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Converts the settings file of another library to a flow file. The names in it identify the library: the payment SDK;
 * a database connection pool, c3p0 or HikariCP, alone, in Hibernate or in Spring; resilience4j; Hystrix; Tomcat's
 * connector. The content identifies the format: properties, XML or YAML.
 *
 * <pre>{@code
 * System.out.print(SettingsImport.flowFile(Path.of("application.yaml")));   // or throws BadConfig
 * }</pre>
 */
public final class SettingsImport {
    private static final int PORT = 8080;
    static final List<Table> PRODUCTS =
            List.of(Table.of("keys", "resilience4j"), Table.of("keys", "hystrix"), Table.of("keys", "tomcat"));

    private final Value file;
    private final Report report;
    private final FlowText text = new FlowText();
    /** By the name of the flow. */
    private final Map<String, List<Value>> flows = new LinkedHashMap<>();

    private SettingsImport(String file, Report report) {
        this.file = new Value("file", Quoted.plain(file), "");
        this.report = report;
    }

    /**
     * A flow file that replaces the old client: YAML with a comment on every line that comes from a property, hints for
     * automatic settings, and a list of dropped properties with reasons. Reads no other file. Shows no secrets.
     *
     * @param file the old file, at most 1 MB
     * @throws BadConfig the old client would reject the file, or it is of no known client; one line per problem
     */
    public static String flowFile(Path file) throws BadConfig {
        ConfigProblems problems = new ConfigProblems();
        List<PropertyLine> all = OldFile.read(file, problems);
        String text = "";
        if (problems.count() == 0) {
            Report report = new Report(all, problems);
            text = new SettingsImport(String.valueOf(file.getFileName()), report).flowFile(all);
        }
        if (problems.count() > 0) {
            throw BadConfig.of(file, problems);
        }
        return text;
    }

    private String flowFile(List<PropertyLine> all) {
        List<String> titles = new ArrayList<>();
        List<PropertyLine> rest = stages(unconditional(all), titles);
        // The file of a pool may contain names of the SDK, such as password, but not the reverse.
        PoolImport pools = new PoolImport(rest, report);
        boolean isPool = pools.isPool();
        if (isPool) {
            titles.add("an older connection pool");
        }
        if (titles.isEmpty()) {
            return sdk(all);
        }
        int port = port();
        List<Value> pool = isPool ? pools.read(port) : List.of();
        if (flows.isEmpty() && !isPool && report.problems.count() == 0) {
            report.problems.add("the file has no settings of " + String.join(", ", titles) + " that a flow could use");
        }
        pools.drop();
        List<Value> head = new ArrayList<>(List.of(file, new Value("titles", String.join(", ", titles), "")));
        if (!flows.isEmpty()) {
            head.add(new Value("stages", "", ""));
        }
        if (isPool) {
            head.add(new Value("pool", "", ""));
        }
        text.write("head.yaml", head);
        flows.forEach((name, lines) -> text.write("stages.yaml", named(name, port, lines)));
        if (isPool) {
            text.write("database.yaml", pool);
        }
        return text.dropped(report.dropped()).toString();
    }

    private String sdk(List<PropertyLine> all) {
        SdkImport sdk = new SdkImport(all, report);
        if (!sdk.isSdk()) {
            report.problems.add("the file contains no property of a known client; give the file of the payment SDK"
                    + " (cybs.properties in most cases), or that of c3p0, HikariCP, Hibernate, Spring, resilience4j, Hystrix"
                    + " or Tomcat");
            return "";
        }
        List<Value> lines = sdk.read();
        lines.add(file);
        sdk.drop();
        return text.write("sdk.yaml", lines).dropped(report.dropped()).toString();
    }

    /** The lines without a condition; if each has one, as in the document of a profile by itself, those of the first. */
    private List<PropertyLine> unconditional(List<PropertyLine> all) {
        boolean isAnyAlways = all.stream().anyMatch(line -> line.condition().isEmpty());
        String condition = isAnyAlways || all.isEmpty() ? "" : all.getFirst().condition();
        all.stream()
                .filter(line -> !line.condition().equals(condition))
                .forEach(line ->
                        report.drop(line, "only with " + Quoted.plain(line.condition()) + "; import it by itself"));
        return all.stream().filter(line -> line.condition().equals(condition)).toList();
    }

    /** Reads the products that a file may have side by side; returns the other lines. */
    private List<PropertyLine> stages(List<PropertyLine> lines, List<String> titles) {
        Set<String> taken = new HashSet<>(Set.of("database"));
        List<PropertyLine> rest = lines;
        for (Table product : PRODUCTS) {
            if (product.isIn(rest)) {
                List<PropertyLine> others = new ArrayList<>();
                new StageImport(product, report)
                        .read(rest, others)
                        .forEach((name, written) -> flows.put(free(name, taken), written));
                titles.add(product.title());
                rest = others;
            }
        }
        return rest;
    }

    /** A valid name of a flow that is not in {@code taken}, which it is added to. */
    private static String free(String old, Set<String> taken) {
        String plain = old.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^-+|-+$", "");
        String letter = plain.matches("[A-Za-z].*") ? plain : "flow-" + plain;
        String name = letter.length() > 50 ? letter.substring(0, 50) : letter;
        String free = name;
        for (int number = 2; !taken.add(free); number++) {
            free = name + "-" + number;
        }
        return free;
    }

    /** A port that no connector has. */
    private int port() {
        long port = flows.values().stream()
                .flatMap(List::stream)
                .filter(line -> line.key().equals("from.http.port"))
                .mapToLong(line -> line.number() + 1)
                .reduce(PORT, Math::max);
        return port > 65_535 ? 1_024 : (int) port;
    }

    private static List<Value> named(String name, int port, List<Value> lines) {
        List<Value> all = new ArrayList<>(lines);
        all.add(new Value("name", name, ""));
        all.add(new Value("port", Integer.toString(port), ""));
        lines.stream()
                .filter(line -> line.key().equals("from.http.host"))
                .filter(line -> !Addresses.isLoopback(line.yaml().replace("\"", "")))
                .forEach(line -> all.add(new Value("insecure", "true", "")));
        return all;
    }
}
