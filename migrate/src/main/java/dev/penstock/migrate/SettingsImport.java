package dev.penstock.migrate;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.migrate.DatabaseReader.DatabaseSettings;
import dev.penstock.migrate.StageValue.FlowLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    private final String file;
    private final ConfigProblems problems;

    private SettingsImport(String file, ConfigProblems problems) {
        this.file = file;
        this.problems = problems;
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
        String text = problems.count() > 0
                ? ""
                : new SettingsImport(String.valueOf(file.getFileName()), problems).flowFile(all);
        if (problems.count() > 0) {
            throw BadConfig.of(file, problems);
        }
        return text;
    }

    private String flowFile(List<PropertyLine> all) {
        Leftovers leftovers = new Leftovers(all);
        List<PropertyLine> rest = new ArrayList<>();
        String condition = condition(all);
        for (PropertyLine line : all) {
            if (line.condition().equals(condition)) {
                rest.add(line);
            } else {
                leftovers.drop(line, "only with " + Quoted.plain(line.condition()) + "; import it by itself");
            }
        }
        List<String> titles = new ArrayList<>();
        Map<String, List<FlowLine>> flows = new LinkedHashMap<>();
        rest = stages(rest, titles, flows, leftovers);
        // The file of a pool may contain names of the SDK, such as password, but not the reverse.
        DatabaseProperties database = new DatabaseProperties(rest, problems);
        DatabaseSettings pool = null;
        if (database.hasPoolProperties()) {
            titles.add("an older connection pool");
            pool = new DatabaseReader(database).read();
        }
        if (titles.isEmpty()) {
            return sdk(all);
        }
        if (flows.isEmpty() && pool == null && problems.count() == 0) {
            problems.add("the file has no settings of " + String.join(", ", titles) + " that a flow could use");
        }
        database.drop(leftovers);
        return problems.count() > 0 ? "" : text(titles, flows, pool, leftovers);
    }

    /** The condition of the lines to read: none, unless all lines have one, as in the document of a profile by itself. */
    private static String condition(List<PropertyLine> all) {
        boolean isAnyAlways = all.stream().anyMatch(line -> line.condition().isEmpty());
        return isAnyAlways || all.isEmpty() ? "" : all.getFirst().condition();
    }

    /** Reads the products that a file may have side by side; returns the other lines. */
    private List<PropertyLine> stages(
            List<PropertyLine> lines, List<String> titles, Map<String, List<FlowLine>> flows, Leftovers leftovers) {
        Set<String> taken = new HashSet<>(Set.of("database"));
        List<PropertyLine> rest = lines;
        for (StageProduct product : StageProduct.values()) {
            if (product.isIn(rest)) {
                List<PropertyLine> others = new ArrayList<>();
                new StageReader(product, problems, leftovers)
                        .read(rest, others)
                        .forEach((name, written) -> flows.put(StageText.name(name, taken), written));
                titles.add(product.title);
                rest = others;
            }
        }
        return rest;
    }

    private String text(
            List<String> titles,
            Map<String, List<FlowLine>> flows,
            @Nullable DatabaseSettings pool,
            Leftovers leftovers) {
        YamlText yaml = new YamlText();
        yaml.comment(
                0,
                "Generated from " + Quoted.plain(file) + ", the settings of " + String.join(", ", titles)
                        + ". Review it, and validate it with: penstock check FILE");
        yaml.line(0, "#");
        if (!flows.isEmpty()) {
            yaml.comment(
                    0,
                    "Give each flow its target, to.http.url. What is not set is automatic: limit, queue, breaker, pool.");
        }
        if (pool != null) {
            yaml.comment(
                    0,
                    "A program that keeps its own SQL does not need this file: replace its pool by the GuardedDataSource below.");
        }
        yaml.line(0, "flows:");
        int port = port(flows);
        flows.forEach((name, lines) -> StageText.write(name, lines, port, yaml));
        if (pool != null) {
            DatabaseText.write(pool, port, yaml);
            yaml.line(0, "");
            DatabaseJava.write(pool, yaml);
        }
        leftovers.write(yaml);
        return yaml.toString();
    }

    /** A port that no connector has. */
    private static int port(Map<String, List<FlowLine>> flows) {
        int port = PORT;
        for (List<FlowLine> lines : flows.values()) {
            FlowLine given = StageDefaults.find(FlowKey.PORT, lines);
            port = given == null ? port : Math.max(port, (int) given.number() + 1);
        }
        return port > 65_535 ? 1_024 : port;
    }

    private String sdk(List<PropertyLine> all) {
        SdkProperties properties = new SdkProperties(all, problems);
        if (!properties.hasSdkProperties()) {
            problems.add("the file contains no property of a known client; give the file of the payment SDK"
                    + " (cybs.properties in most cases), or that of c3p0, HikariCP, Hibernate, Spring, resilience4j, Hystrix"
                    + " or Tomcat");
            return "";
        }
        SdkSettings sdk = new SdkReader(properties).read();
        return problems.count() > 0 ? "" : FlowText.of(file, sdk, properties);
    }
}
