package dev.penstock.migrate;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
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
    static final List<Table> PRODUCTS = List.of(Table.of("resilience4j"), Table.of("hystrix"), Table.of("tomcat"));

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
        PoolImport pools = new PoolImport(rest, problems);
        boolean isPool = pools.isPool();
        if (isPool) {
            titles.add("an older connection pool");
        }
        if (titles.isEmpty()) {
            return sdk(all);
        }
        int port = port(flows);
        List<FlowLine> pool = isPool ? pools.read(port) : List.of();
        if (flows.isEmpty() && !isPool && problems.count() == 0) {
            problems.add("the file has no settings of " + String.join(", ", titles) + " that a flow could use");
        }
        pools.drop(leftovers);
        YamlText yaml = new YamlText();
        List<FlowLine> head = new ArrayList<>(List.of(
                new FlowLine("file", Quoted.plain(file), ""), new FlowLine("titles", String.join(", ", titles), "")));
        if (!flows.isEmpty()) {
            head.add(new FlowLine("stages", "", ""));
        }
        if (isPool) {
            head.add(new FlowLine("pool", "", ""));
        }
        Template.write("head.yaml", head, yaml);
        yaml.line(0, "flows:");
        flows.forEach((name, lines) -> Template.write("stages.yaml", named(name, port, lines), yaml));
        if (isPool) {
            Template.write("database.yaml", pool, yaml);
        }
        leftovers.write(yaml);
        return yaml.toString();
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
        for (Table product : PRODUCTS) {
            if (product.isIn(rest)) {
                List<PropertyLine> others = new ArrayList<>();
                new StageReader(product, problems, leftovers)
                        .read(rest, others)
                        .forEach((name, written) -> flows.put(free(name, taken), written));
                titles.add(product.title);
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
    private static int port(Map<String, List<FlowLine>> flows) {
        long port = flows.values().stream()
                .flatMap(List::stream)
                .filter(line -> line.key().equals("from.http.port"))
                .mapToLong(line -> line.number() + 1)
                .reduce(PORT, Math::max);
        return port > 65_535 ? 1_024 : (int) port;
    }

    private static List<FlowLine> named(String name, int port, List<FlowLine> lines) {
        List<FlowLine> all = new ArrayList<>(lines);
        all.add(new FlowLine("name", name, ""));
        all.add(new FlowLine("path", has("from.http.host", lines) ? "/" : "/" + name, ""));
        if (lines.stream()
                .anyMatch(line -> line.key().equals("from.http.host")
                        && !Addresses.isLoopback(line.yaml().replace("\"", "")))) {
            all.add(new FlowLine("insecure", "true", "cleartext for other machines; better remove it, and add tls"));
        }
        if (!has("from.http.port", lines)) {
            all.add(new FlowLine("from.http.port", Integer.toString(port), ""));
        }
        return all;
    }

    private static boolean has(String key, List<FlowLine> lines) {
        return lines.stream().anyMatch(line -> line.key().equals(key));
    }

    private String sdk(List<PropertyLine> all) {
        SdkProperties properties = new SdkProperties(all, problems);
        if (!properties.isSdk()) {
            problems.add("the file contains no property of a known client; give the file of the payment SDK"
                    + " (cybs.properties in most cases), or that of c3p0, HikariCP, Hibernate, Spring, resilience4j, Hystrix"
                    + " or Tomcat");
            return "";
        }
        YamlText yaml = new YamlText();
        List<FlowLine> lines = new ArrayList<>(new SdkImport(properties).read());
        lines.add(new FlowLine("file", Quoted.plain(file), ""));
        Template.write("sdk.yaml", lines, yaml);
        Leftovers leftovers = new Leftovers(all);
        properties.drop(leftovers);
        leftovers.write(yaml);
        return yaml.toString();
    }
}
