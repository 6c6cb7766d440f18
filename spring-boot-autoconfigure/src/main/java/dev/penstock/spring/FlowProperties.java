package dev.penstock.spring;

import dev.penstock.gateway.chain.ChainTransport;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.file.EmbeddedFlows;
import dev.penstock.gateway.file.EmbeddedFlows.Property;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.http.HttpTransport;
import dev.penstock.gateway.transport.Transports;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The properties {@code penstock.*} of an application.
 *
 * @param all those that count first come first
 * @param flows the names of flows with a target
 * @param methods the names of the others, whose targets are methods with {@link Flowed}
 */
record FlowProperties(Environment environment, List<Property> all, Set<String> flows, Set<String> methods) {
    static final EmbeddedFlows READER = new EmbeddedFlows(
            "penstock", new Transports(List.of(new HttpTransport(), new ChainTransport(), new MethodTransport())));

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("penstock");
    private static final String FLOWS = "flows";
    private static final String TO = "to";

    /** What the reader of flow files fills in itself, without showing the value in a message. */
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\$\\{(file:[^{}]*|[A-Za-z_][A-Za-z0-9_.-]*(:[^{}$]*)?)}");

    private static final Set<String> KEYS = new HashSet<>();

    static {
        READER.walk((path, _) -> KEYS.add(path));
    }

    private static final Set<String> OF_SYSTEM = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    static FlowProperties of(Environment environment) {
        List<Property> all = new ArrayList<>();
        int number = 0;
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                for (ConfigurationPropertyName name : names) {
                    ConfigurationProperty given = isOurs(source, name) ? source.getConfigurationProperty(name) : null;
                    if (given != null) {
                        all.add(property(environment, given, number));
                    }
                }
            }
            number++;
        }
        Map<String, String> flows = names(all, _ -> true);
        Map<String, String> methods = new LinkedHashMap<>(flows);
        methods.keySet().removeAll(names(all, key -> key.equals(TO)).keySet());
        flows.keySet().removeAll(methods.keySet());
        methods.values()
                .forEach(flow -> all.add(new Property(
                        List.of(FLOWS, flow, TO, MethodTransport.KEY),
                        flow,
                        "the flow has no 'to'",
                        Integer.MAX_VALUE)));
        return new FlowProperties(environment, all, Set.copyOf(flows.values()), Set.copyOf(methods.values()));
    }

    /** Other programs set variables that begin with the same word. */
    private static boolean isOurs(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        boolean system = source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && OF_SYSTEM.contains(underlying.getName());
        return ROOT.isAncestorOf(name) && (!system || KEYS.contains(name.getElement(1, Form.UNIFORM)));
    }

    /** The names of flows with such a key, as the source that counts last has them: environment variables have no upper case. */
    private static Map<String, String> names(List<Property> all, Predicate<String> key) {
        Map<String, String> names = new LinkedHashMap<>();
        for (Property property : all) {
            List<String> path = property.path();
            if (path.size() > 2 && path.getFirst().equals(FLOWS) && key.test(path.get(2))) {
                names.put(Schema.plain(path.get(1)), path.get(1));
            }
        }
        return names;
    }

    /** Whether a flow has a key, or keys below it. */
    boolean has(String flow, String... key) {
        List<String> keys = List.of(key);
        return all.stream()
                .map(Property::path)
                .anyMatch(path -> path.size() >= keys.size() + 2
                        && path.getFirst().equals(FLOWS)
                        && Schema.plain(path.get(1)).equals(Schema.plain(flow))
                        && path.subList(2, keys.size() + 2).equals(keys));
    }

    private static Property property(Environment environment, ConfigurationProperty given, int source) {
        ConfigurationPropertyName name = given.getName();
        List<String> path = new ArrayList<>();
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            String element = name.getElement(i, Form.ORIGINAL);
            path.add(name.isNumericIndex(i) ? "[" + element + "]" : element);
        }
        Origin origin = given.getOrigin();
        return new Property(path, value(environment, given.getValue()), String.valueOf(origin), source);
    }

    private static String value(Environment environment, Object given) {
        String text = String.valueOf(given);
        boolean needsSpring = PLACEHOLDER.matcher(text).replaceAll("").contains("${");
        return needsSpring ? environment.resolvePlaceholders(text) : text;
    }

    /**
     * The configuration, and warnings.
     *
     * @throws BadFlowsException the properties have errors
     */
    FlowFile read() {
        try {
            return READER.read(all, environment::getProperty);
        } catch (BadConfig bad) {
            throw new BadFlowsException(bad);
        }
    }
}
