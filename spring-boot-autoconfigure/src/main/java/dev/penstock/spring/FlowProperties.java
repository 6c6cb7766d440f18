package dev.penstock.spring;

import dev.penstock.gateway.chain.ChainTransport;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.EmbeddedFlows;
import dev.penstock.gateway.file.EmbeddedFlows.Property;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.http.HttpTransport;
import dev.penstock.gateway.transport.Transports;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
 */
record FlowProperties(Environment environment, List<Property> all) {
    static final EmbeddedFlows READER =
            new EmbeddedFlows("penstock", new Transports(List.of(new HttpTransport(), new ChainTransport())));

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("penstock");
    private static final String FLOWS = "flows";

    /** What the reader of flow files fills in itself, without showing the value in a message. */
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\$\\{(file:[^{}]*|[A-Za-z_][A-Za-z0-9_.-]*(:[^{}$]*)?)}");

    /** Other programs set variables that begin with the same word. */
    private static final Set<String> OF_SYSTEM = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    static FlowProperties of(Environment environment) {
        Set<String> known = new HashSet<>();
        READER.walk((path, _) -> known.add(path));
        List<Property> all = new ArrayList<>();
        int source = 0;
        for (ConfigurationPropertySource from : ConfigurationPropertySources.get(environment)) {
            int number = source++;
            boolean system = from.getUnderlyingSource() instanceof PropertySource<?> underlying
                    && OF_SYSTEM.contains(underlying.getName());
            if (from instanceof IterableConfigurationPropertySource names) {
                for (ConfigurationPropertyName name : names) {
                    ConfigurationProperty given = ROOT.isAncestorOf(name) ? from.getConfigurationProperty(name) : null;
                    if (given != null && (!system || known.contains(name.getElement(1, Form.UNIFORM)))) {
                        all.add(property(environment, given, number));
                    }
                }
            }
        }
        return new FlowProperties(environment, all);
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

    /** The names of the flows. */
    Set<String> flows() {
        Map<String, String> names = new LinkedHashMap<>();
        for (Property property : all) {
            if (property.path().size() > 2 && property.path().getFirst().equals(FLOWS)) {
                String name = property.path().get(1);
                // Environment variables have no upper case: the source that counts last has the usual form.
                names.put(name.replaceAll("[_-]", "").toLowerCase(Locale.ROOT), name);
            }
        }
        return new HashSet<>(names.values());
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
